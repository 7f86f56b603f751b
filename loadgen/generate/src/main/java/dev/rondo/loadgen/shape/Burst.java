package dev.rondo.loadgen.shape;

/** Sends the points of each window together at its end, with unchanged times. */
final class Burst extends Steady {
  private final long windowMs;

  Burst(PointGrid grid, long windowMs) {
    super(grid);
    this.windowMs = windowMs;
  }

  @Override
  public long dueMs(long turn) {
    long sinceMs = grid.timeMs(turn) - grid.startMs();
    return grid.startMs() + (sinceMs / windowMs + 1) * windowMs;
  }
}
