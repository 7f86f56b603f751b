package dev.rondo.bench.postgres.rows;

/** What is written over what. */
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

  /** Which positions come while it is measured. */
  public Part part() {
    return part;
  }
}
