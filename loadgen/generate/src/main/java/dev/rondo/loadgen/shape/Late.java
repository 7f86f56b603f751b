package dev.rondo.loadgen.shape;

/**
 * Some points leave some ticks later, behind the point of that tick of their series.
 *
 * <pre>
 *   turn     0   1   2      3   4        of one series, late by two ticks
 *   leaves   0   -   2   3, 1   4
 * </pre>
 *
 * Those whose later turn would be after the last leave at their own.
 */
final class Late implements Shape {
  private final PointGrid grid;
  private final long lateTicks;
  private final double share;
  private final Draw draw;

  Late(PointGrid grid, long lateTicks, double share) {
    this.grid = grid;
    this.lateTicks = lateTicks;
    this.share = share;
    this.draw = grid.draw(Draw.LATE);
  }

  @Override
  public long dueMs(long turn) {
    return grid.timeMs(turn);
  }

  @Override
  public void take(long turn, PointSink sink) {
    int series = grid.seriesOf(turn);
    long tick = grid.tick(turn);
    if (!isLate(series, tick)) {
      sink.point(series, tick, grid.timeMs(turn));
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
