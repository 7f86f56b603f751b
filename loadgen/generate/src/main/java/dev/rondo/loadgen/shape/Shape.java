package dev.rondo.loadgen.shape;

/**
 * Decides which points of a {@link PointGrid} are sent, when and in what order. A run has one turn
 * per point of the grid, in grid order. At turn {@code n} most shapes send point {@code n}; at some
 * turns they send no point or several. All points of a turn belong to one series.
 */
public interface Shape {
  /** Planned time of a turn, epoch ms; it never decreases from turn to turn. */
  long dueMs(long turn);

  /** Passes the points of a turn to the sink, in order. */
  void take(long turn, PointSink sink);

  /** How many times a machine has been replaced by {@code tMs}. */
  default long generation(int machine, long tMs) {
    return 0;
  }
}
