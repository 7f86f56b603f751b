package dev.rondo.loadgen.shape;

/** Sends an unreadable record before some points. */
final class Garbage implements Shape {
  private final PointGrid grid;
  private final double share;
  private final Draw draw;

  Garbage(PointGrid grid, double share) {
    this.grid = grid;
    this.share = share;
    this.draw = grid.draw(Draw.GARBAGE);
  }

  @Override
  public long dueMs(long turn) {
    return grid.timeMs(turn);
  }

  @Override
  public void take(long turn, PointSink sink) {
    int series = grid.seriesOf(turn);
    long tick = grid.tick(turn);
    if (draw.uniform(series, tick) < share) {
      sink.garbage(series);
    }
    sink.point(series, tick, grid.timeMs(turn));
  }
}
