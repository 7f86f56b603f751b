package dev.rondo.bench.ingest;

/** How points are sent. */
enum Profile {
  /** One per record, keyed by series. */
  ONE(1, "series"),
  /** A hundred per record: all series of a machine. */
  BATCH(100, "machine");

  private final int batch;
  private final String keys;

  Profile(int batch, String keys) {
    this.batch = batch;
    this.keys = keys;
  }

  /** Maximum points per record. */
  int batch() {
    return batch;
  }

  /** Value for {@code ./rondo loadgen --keys}. */
  String keys() {
    return keys;
  }

  @Override
  public String toString() {
    return batch == 1 ? "one point per record" : batch + " points per record";
  }
}
