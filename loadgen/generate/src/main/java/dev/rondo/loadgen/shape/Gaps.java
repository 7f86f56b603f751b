package dev.rondo.loadgen.shape;

/** Omits some groups of consecutive points of a series: nothing is sent at their turns. */
final class Gaps extends Steady {
  private final long gapTicks;
  private final double share;
  private final Draw draw;

  Gaps(PointGrid grid, long gapTicks, double share) {
    super(grid);
    this.gapTicks = gapTicks;
    this.share = share;
    this.draw = grid.draw(Draw.GAPS);
  }

  @Override
  void take(int series, long tick, long tMs, PointSink sink) {
    if (draw.uniform(series, tick / gapTicks) >= share) {
      sink.point(series, tick, tMs);
    }
  }
}
