package dev.rondo.bench.ingest;

/** How points come. */
enum Profile {
  /** One a record, keyed by series. */
  ONE(1, "series"),
  /** A hundred a record: all series of a machine. */
  BATCH(100, "machine");

  private final int batch;
  private final String keys;

  Profile(int batch, String keys) {
    this.batch = batch;
    this.keys = keys;
  }

  /** Points of a record, at most. */
  int batch() {
    return batch;
  }

  /** As {@code ./rondo loadgen --keys}. */
  String keys() {
    return keys;
  }

  @Override
  public String toString() {
    return batch == 1 ? "one point a record" : batch + " points a record";
  }
}
