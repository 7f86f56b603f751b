package dev.rondo.topology.consolidate;

/**
 * Limits the new series of a source in a task: a burst, then a number per second. It protects
 * memory, tables and finder from a label with a new value in every point. Seconds are measured by
 * the times of points, so that a backlog is treated like live points.
 */
final class NewSeriesRateLimit {
  private static final double MS_PER_SECOND = 1_000;

  private final double perMs;
  private final double burst;
  private double available;
  private long newestMs = Long.MIN_VALUE;

  /**
   * Creates the limit of one partition, with the whole burst available.
   *
   * @param perSecond limit for all partitions together
   * @param burst burst for all partitions together; each partition gets at least 1
   */
  NewSeriesRateLimit(long perSecond, long burst, int partitions) {
    this.perMs = perSecond / MS_PER_SECOND / partitions;
    this.burst = Math.max(1, (double) burst / partitions);
    this.available = this.burst;
  }

  /**
   * Takes one new series. Returns false if the limit is reached. Times are capped at the wall
   * clock, so that one in the future does not stall the refill.
   *
   * @param pointMs time of its point, epoch ms
   * @param wallMs wall clock, epoch ms
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
