package dev.rondo.loadgen.shape;

/** Omits some groups of consecutive points of a series: nothing is sent at their turns. */
final class Gaps implements Shape {
  private final PointGrid grid;
  private final long gapTicks;
  private final double share;
  private final Draw draw;

  Gaps(PointGrid grid, long gapTicks, double share) {
    this.grid = grid;
    this.gapTicks = gapTicks;
    this.share = share;
    this.draw = grid.draw(Draw.GAPS);
  }

  @Override
  public long dueMs(long turn) {
    return grid.timeMs(turn);
  }

  @Override
  public void take(long turn, PointSink sink) {
    int series = grid.seriesOf(turn);
    long tick = grid.tick(turn);
    if (draw.uniform(series, tick / gapTicks) >= share) {
      sink.point(series, tick, grid.timeMs(turn));
    }
  }
}
