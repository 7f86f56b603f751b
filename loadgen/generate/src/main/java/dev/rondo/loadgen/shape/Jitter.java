package dev.rondo.loadgen.shape;

/**
 * Delays the time of each point by a random part of the interval between ticks. A point is sent at
 * the end of its possible range, so that none is sent before its own time.
 */
final class Jitter extends Steady {
  private final double maxDelayMs;
  private final Draw draw;

  /**
   * @param jitter share of the interval, 0..1; at least 2 ms of the interval must remain, so that
   *     the points of a series keep their order
   */
  Jitter(PointGrid grid, double jitter) {
    super(grid);
    this.maxDelayMs = maxDelayMs(grid, jitter);
    this.draw = grid.draw(Draw.JITTER);
  }

  /**
   * Maximum delay, ms.
   *
   * @throws IllegalArgumentException if points of a series could be reordered
   */
  static double maxDelayMs(PointGrid grid, double jitter) {
    double intervalMs = grid.intervalMs();
    if (jitter * intervalMs > intervalMs - 2) {
      throw new IllegalArgumentException(
          "--jitter %s of an interval of %s ms leaves less than 2 ms of it: points of a series could be reordered (--jitter, --rate, --series)"
              .formatted(jitter, intervalMs));
    }
    return jitter * intervalMs;
  }

  @Override
  public long dueMs(long turn) {
    return grid.timeMs(turn) + (long) Math.floor(maxDelayMs);
  }

  @Override
  void take(int series, long tick, long tMs, PointSink sink) {
    long laterMs = (long) Math.floor(draw.uniform(series, tick) * maxDelayMs);
    sink.point(series, tick, tMs + laterMs);
  }
}
