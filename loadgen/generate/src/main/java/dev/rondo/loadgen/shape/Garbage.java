package dev.rondo.loadgen.shape;

/** Sends an unreadable record before some points. */
final class Garbage extends Steady {
  private final double share;
  private final Draw draw;

  Garbage(PointGrid grid, double share) {
    super(grid);
    this.share = share;
    this.draw = grid.draw(Draw.GARBAGE);
  }

  @Override
  void take(int series, long tick, long tMs, PointSink sink) {
    if (draw.uniform(series, tick) < share) {
      sink.garbage(series);
    }
    sink.point(series, tick, tMs);
  }
}
