package dev.rondo.loadgen.shape;

/**
 * A point's time is later by a random part of the interval between ticks. It leaves when the latest
 * that it might have been is over, so that none leaves before its time.
 */
final class Jitter implements Shape {
  private final PointGrid grid;
  private final double jitter;
  private final double intervalMs;
  private final Draw draw;

  /**
   * Of a share of the interval.
   *
   * @param jitter 0..1; so that the points of a series keep their order, at least 2 ms of the
   *     interval are left
   */
  Jitter(PointGrid grid, double jitter) {
    this.grid = grid;
    this.jitter = jitter;
    this.intervalMs = grid.intervalMs();
    this.draw = grid.draw(Draw.JITTER);
    if (jitter * intervalMs > intervalMs - 2) {
      throw new IllegalArgumentException(
          "--jitter %s of an interval of %s ms leaves less than 2 ms of it: the points of a series would not be in order (--jitter, --rate, --series)"
              .formatted(jitter, intervalMs));
    }
  }

  @Override
  public long dueMs(long turn) {
    return grid.timeMs(turn) + (long) Math.floor(jitter * intervalMs);
  }

  @Override
  public void take(long turn, PointSink sink) {
    int series = grid.seriesOf(turn);
    long tick = grid.tick(turn);
    long laterMs = (long) Math.floor(draw.uniform(series, tick) * jitter * intervalMs);
    sink.point(series, tick, grid.timeMs(turn) + laterMs);
  }
}
