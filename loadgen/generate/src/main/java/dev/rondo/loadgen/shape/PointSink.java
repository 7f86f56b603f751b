package dev.rondo.loadgen.shape;

/** Receives what a shape sends. */
public interface PointSink {
  /**
   * The point of a series at a tick.
   *
   * @param tMs its time, epoch ms
   */
  void point(int series, long tick, long tMs);

  /** An unreadable record, in the partition of the series. */
  void garbage(int series);
}
