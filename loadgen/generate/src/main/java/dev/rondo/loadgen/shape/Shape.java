package dev.rondo.loadgen.shape;

/**
 * What becomes of the points of a {@link PointGrid}: which of them leave, when, in what order. A
 * run takes turns, one for each point of the grid and in their order; at turn {@code n} mostly
 * point {@code n} leaves, at some turns none, at some several. All that leave at a turn are of one
 * series.
 */
public interface Shape {
  /** When the turn is, epoch ms; never before that of the turn before. */
  long dueMs(long turn);

  /** Tells what leaves at a turn, in order. */
  void take(long turn, PointSink sink);

  /** How often a machine has been replaced by a new one, at a time. */
  default long generation(int machine, long tMs) {
    return 0;
  }
}
