package dev.rondo.topology.consolidate;

/**
 * Limits how many new series a task takes of a source: a burst, and then a number per second, so
 * that a label with a new value in every point does not fill the instance, the tables and the
 * finder. Seconds are those of the points, so that a backlog is treated like live points.
 */
final class NewSeriesRateLimit {
  private static final double MS_PER_SECOND = 1_000;

  private final double perMs;
  private final double burst;
  private double available;
  private long newestMs = Long.MIN_VALUE;

  /**
   * The share of one partition, with the whole burst available.
   *
   * @param perSecond of all partitions
   * @param burst of all partitions; each partition has at least 1
   */
  NewSeriesRateLimit(long perSecond, long burst, int partitions) {
    this.perMs = perSecond / MS_PER_SECOND / partitions;
    this.burst = Math.max(1, (double) burst / partitions);
    this.available = this.burst;
  }

  /**
   * Takes one new series. Returns false if the limit is reached. Times do not count beyond the wall
   * clock, so that the limit goes on after one that was ahead.
   *
   * @param pointMs time of its point, epoch ms
   * @param wallMs the wall clock, epoch ms
   */
  boolean take(long pointMs, long wallMs) {
    long tMs = Math.min(pointMs, wallMs);
    newestMs = Math.min(newestMs, wallMs);
    if (newestMs != Long.MIN_VALUE && tMs > newestMs) {
      available = Math.min(burst, available + (tMs - newestMs) * perMs);
    }
    newestMs = Math.max(newestMs, tMs);
    if (available < 1) {
      return false;
    }
    available--;
    return true;
  }
}
