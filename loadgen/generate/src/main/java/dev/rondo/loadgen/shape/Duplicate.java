package dev.rondo.loadgen.shape;

/** Sends some points twice in a row. */
final class Duplicate implements Shape {
  private final PointGrid grid;
  private final double share;
  private final Draw draw;

  Duplicate(PointGrid grid, double share) {
    this.grid = grid;
    this.share = share;
    this.draw = grid.draw(Draw.DUPLICATE);
  }

  @Override
  public long dueMs(long turn) {
    return grid.timeMs(turn);
  }

  @Override
  public void take(long turn, PointSink sink) {
    int series = grid.seriesOf(turn);
    long tick = grid.tick(turn);
    sink.point(series, tick, grid.timeMs(turn));
    if (draw.uniform(series, tick) < share) {
      sink.point(series, tick, grid.timeMs(turn));
    }
  }
}
