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
final class Disorder extends Steady {
  private final double share;
  private final Draw draw;

  Disorder(PointGrid grid, double share) {
    super(grid);
    this.share = share;
    this.draw = grid.draw(Draw.DISORDER);
  }

  @Override
  void take(int series, long tick, long tMs, PointSink sink) {
    boolean isSwapped = isSwapped(series, tick / 2);
    if (!isSwapped || tick % 2 == 1) {
      sink.point(series, tick, tMs);
    }
    if (isSwapped && tick % 2 == 1) {
      sink.point(series, tick - 1, grid.timeMs(grid.ordinal(series, tick - 1)));
    }
  }

  private boolean isSwapped(int series, long pair) {
    return draw.uniform(series, pair) < share && grid.ordinal(series, 2 * pair + 1) < grid.points();
  }
}
