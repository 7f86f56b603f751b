package dev.rondo.loadgen.shape;

/**
 * For some pairs of ticks, 2j and 2j + 1, sends both points of a series at the second turn, the
 * later point first.
 *
 * <pre>
 *   turn     0      1   2   3        of one series, the first pair swapped
 *   sent     -   1, 0   2   3
 * </pre>
 *
 * A pair cut by the end of the run is not swapped.
 */
final class Disorder implements Shape {
  private final PointGrid grid;
  private final double share;
  private final Draw draw;

  Disorder(PointGrid grid, double share) {
    this.grid = grid;
    this.share = share;
    this.draw = grid.draw(Draw.DISORDER);
  }

  @Override
  public long dueMs(long turn) {
    return grid.timeMs(turn);
  }

  @Override
  public void take(long turn, PointSink sink) {
    int series = grid.seriesOf(turn);
    long tick = grid.tick(turn);
    boolean isSwapped = isSwapped(series, tick / 2);
    if (!isSwapped || tick % 2 == 1) {
      sink.point(series, tick, grid.timeMs(turn));
    }
    if (isSwapped && tick % 2 == 1) {
      sink.point(series, tick - 1, grid.timeMs(turn - grid.series()));
    }
  }

  private boolean isSwapped(int series, long pair) {
    return draw.uniform(series, pair) < share && grid.ordinal(series, 2 * pair + 1) < grid.points();
  }
}
