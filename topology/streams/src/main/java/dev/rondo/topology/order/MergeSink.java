package dev.rondo.topology.order;

/** Receives the points that the merge releases. */
@FunctionalInterface
public interface MergeSink {
  /**
   * Receives one point.
   *
   * @param index of the point in {@code batch}
   * @param series of the point, as the index has it; another class if the index does not know it
   */
  void point(Batch batch, int index, BufferedSeries series);
}
