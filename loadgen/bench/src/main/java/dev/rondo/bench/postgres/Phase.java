package dev.rondo.bench.postgres;

/** What is written over what. */
enum Phase {
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

  String title() {
    return title;
  }

  /** Which positions come while it is measured. */
  Part part() {
    return part;
  }
}
