package dev.rondo.topology.order;

/** Takes the points that leave the merge. */
@FunctionalInterface
public interface PointSink {
  /**
   * A point.
   *
   * @param index among the points of {@code batch}
   */
  void point(Batch batch, int index);
}
