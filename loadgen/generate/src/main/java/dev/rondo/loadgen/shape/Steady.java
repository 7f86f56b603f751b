package dev.rondo.loadgen.shape;

/** Sends each point at its own time. */
final class Steady implements Shape {
  private final PointGrid grid;

  Steady(PointGrid grid) {
    this.grid = grid;
  }

  @Override
  public long dueMs(long turn) {
    return grid.timeMs(turn);
  }

  @Override
  public void take(long turn, PointSink sink) {
    sink.point(grid.seriesOf(turn), grid.tick(turn), grid.timeMs(turn));
  }
}
