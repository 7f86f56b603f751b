package dev.rondo.loadgen.shape;

/**
 * Sends some points some ticks later, after the point of that tick of the same series.
 *
 * <pre>
 *   turn     0   1   2      3   4        of one series, late by two ticks
 *   sent     0   -   2   3, 1   4
 * </pre>
 *
 * A point whose later turn would be after the end of the run is not late.
 */
final class Late extends Steady {
  private final long lateTicks;
  private final double share;
  private final Draw draw;

  Late(PointGrid grid, long lateTicks, double share) {
    super(grid);
    this.lateTicks = lateTicks;
    this.share = share;
    this.draw = grid.draw(Draw.LATE);
  }

  @Override
  void take(int series, long tick, long tMs, PointSink sink) {
    if (!isLate(series, tick)) {
      sink.point(series, tick, tMs);
    }
    long before = tick - lateTicks;
    if (before >= 0 && isLate(series, before)) {
      sink.point(series, before, grid.timeMs(grid.ordinal(series, before)));
    }
  }

  private boolean isLate(int series, long tick) {
    return draw.uniform(series, tick) < share
        && grid.ordinal(series, tick + lateTicks) < grid.points();
  }
}
