package dev.rondo.loadgen.shape;

/** Sends each point at its own time; the other shapes differ from it in one of its methods. */
class Steady implements Shape {
  final PointGrid grid;

  Steady(PointGrid grid) {
    this.grid = grid;
  }

  @Override
  public long dueMs(long turn) {
    return grid.timeMs(turn);
  }

  @Override
  public final void take(long turn, PointSink sink) {
    take(grid.seriesOf(turn), grid.tick(turn), grid.timeMs(turn), sink);
  }

  /**
   * Sends what is sent at the turn of a series at a tick.
   *
   * @param tMs time of its point, epoch ms
   */
  void take(int series, long tick, long tMs, PointSink sink) {
    sink.point(series, tick, tMs);
  }
}
