package dev.rondo.bench.postgres.rows;

/** Which positions are written over which. */
public enum Phase {
  INSERT("into an empty archive", Part.ALL),
  REPLACE("newer slots", Part.ALL),
  MERGE("the other half", Part.EVEN),
  AGAIN("nothing new", Part.ALL),
  BEHIND("newer slots, behind", Part.ALL);

  private final String title;
  private final Part part;

  Phase(String title, Part part) {
    this.title = title;
    this.part = part;
  }

  public String title() {
    return title;
  }

  /** Positions written during the measurement. */
  public Part part() {
    return part;
  }
}
