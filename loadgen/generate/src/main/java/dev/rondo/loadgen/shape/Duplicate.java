package dev.rondo.loadgen.shape;

/** Sends some points twice in a row. */
final class Duplicate extends Steady {
  private final double share;
  private final Draw draw;

  Duplicate(PointGrid grid, double share) {
    super(grid);
    this.share = share;
    this.draw = grid.draw(Draw.DUPLICATE);
  }

  @Override
  void take(int series, long tick, long tMs, PointSink sink) {
    sink.point(series, tick, tMs);
    if (draw.uniform(series, tick) < share) {
      sink.point(series, tick, tMs);
    }
  }
}
