package dev.rondo.topology.order;

/** Receives the points that the merge releases. */
@FunctionalInterface
public interface MergeSink {
  /**
   * Receives one point.
   *
   * @param index of the point in {@code batch}
   */
  void point(Batch batch, int index);
}
