package dev.rondo.loadgen.shape;

/** Sends the points of each window together at its end, with unchanged times. */
final class Burst implements Shape {
  private final PointGrid grid;
  private final long windowMs;

  Burst(PointGrid grid, long windowMs) {
    this.grid = grid;
    this.windowMs = windowMs;
  }

  @Override
  public long dueMs(long turn) {
    long sinceMs = grid.timeMs(turn) - grid.startMs();
    return grid.startMs() + (sinceMs / windowMs + 1) * windowMs;
  }

  @Override
  public void take(long turn, PointSink sink) {
    sink.point(grid.seriesOf(turn), grid.tick(turn), grid.timeMs(turn));
  }
}
