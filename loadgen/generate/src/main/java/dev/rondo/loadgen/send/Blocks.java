package dev.rondo.loadgen.send;

/**
 * Which series may share a record: those of one machine, or those of several adjacent machines if a
 * record has room for them. The grouping is the same at every tick, so that a series stays in its
 * partition.
 */
final class Blocks {
  private final int size;

  /**
   * @param batch most points per record
   * @param metrics series per machine
   */
  Blocks(int batch, int metrics) {
    this.size = metrics * Math.max(1, batch / metrics);
  }

  int of(int series) {
    return series / size;
  }
}
