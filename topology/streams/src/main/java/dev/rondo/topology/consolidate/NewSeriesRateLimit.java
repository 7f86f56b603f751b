package dev.rondo.topology.consolidate;

/**
 * How many new series a task takes: a burst, and so many a second of the points' time after it, so
 * that a label with a new value in every point does not fill the instance, the tables and the
 * finder. By the points' time, so that a backlog is judged as it would have been.
 */
final class NewSeriesRateLimit {
  private static final double MS = 1_000;

  private final double perMs;
  private final double burst;
  private double left;
  private long seenMs = Long.MIN_VALUE;

  /**
   * The share of one of so many partitions, with the whole burst left.
   *
   * @param perSecond of all partitions
   * @param burst of all partitions; each has one at least
   */
  NewSeriesRateLimit(long perSecond, long burst, int partitions) {
    this.perMs = perSecond / MS / partitions;
    this.burst = Math.max(1, (double) burst / partitions);
    this.left = this.burst;
  }

  /**
   * Takes one more, if there is one left.
   *
   * @param tMs time of its point, or the clock where that is earlier, epoch ms
   */
  boolean take(long tMs) {
    if (seenMs != Long.MIN_VALUE && tMs > seenMs) {
      left = Math.min(burst, left + (tMs - seenMs) * perMs);
    }
    seenMs = Math.max(seenMs, tMs);
    boolean isThere = left >= 1;
    if (isThere) {
      left--;
    }
    return isThere;
  }
}
