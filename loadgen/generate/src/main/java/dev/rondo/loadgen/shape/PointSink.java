package dev.rondo.loadgen.shape;

/** Takes what leaves. */
public interface PointSink {
  /**
   * The point of a series at a tick.
   *
   * @param tMs its time, epoch ms
   */
  void point(int series, long tick, long tMs);

  /** A record that nobody can read, to where the points of the series go. */
  void garbage(int series);
}
