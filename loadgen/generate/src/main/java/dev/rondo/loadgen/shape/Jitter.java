package dev.rondo.loadgen.shape;

/**
 * Delays the time of each point by a random part of the interval between ticks. A point is sent at
 * the end of its possible range, so that none is sent before its own time.
 */
final class Jitter implements Shape {
  private final PointGrid grid;
  private final double jitter;
  private final double intervalMs;
  private final Draw draw;

  /**
   * @param jitter share of the interval, 0..1; at least 2 ms of the interval must remain, so that
   *     the points of a series keep their order
   */
  Jitter(PointGrid grid, double jitter) {
    this.grid = grid;
    this.jitter = jitter;
    this.intervalMs = grid.intervalMs();
    this.draw = grid.draw(Draw.JITTER);
    if (jitter * intervalMs > intervalMs - 2) {
      throw new IllegalArgumentException(
          "--jitter %s of an interval of %s ms leaves less than 2 ms of it: points of a series could be reordered (--jitter, --rate, --series)"
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
