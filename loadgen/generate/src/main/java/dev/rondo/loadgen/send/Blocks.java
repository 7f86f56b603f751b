package dev.rondo.loadgen.send;

/**
 * Which series may share a record: those of one machine, or, where a record has room for several
 * machines, those of so many neighbours. The same at each tick, so that a series stays in its
 * partition.
 */
final class Blocks {
  private final int size;

  /**
   * For records of up to so many points.
   *
   * @param metrics series a machine
   */
  Blocks(int batch, int metrics) {
    this.size = metrics * Math.max(1, batch / metrics);
  }

  int of(int series) {
    return series / size;
  }
}
