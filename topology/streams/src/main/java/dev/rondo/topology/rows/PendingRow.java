package dev.rondo.topology.rows;

import java.util.Arrays;

/** One slot of one archive of a segment, with the values that its series have emitted so far. */
final class PendingRow {
  final long endMs;
  final double[] dp;

  /** Number of positions that have a value. */
  int known;

  /** Number of positions up to the last that has a value. */
  int length;

  /**
   * When the first value was set, by the partition's stream time and by the wall clock, epoch ms.
   */
  final long sincePartitionMs;

  final long sinceWallMs;

  /** Whether it does not linger. */
  boolean isDue;

  PendingRow(long endMs, int width, long sincePartitionMs, long sinceWallMs) {
    this.endMs = endMs;
    this.dp = new double[width];
    this.sincePartitionMs = sincePartitionMs;
    this.sinceWallMs = sinceWallMs;
    Arrays.fill(dp, Double.NaN);
  }

  void set(int series, double value) {
    if (Double.isNaN(dp[series])) {
      known++;
      length = Math.max(length, series + 1);
    }
    dp[series] = value;
  }

  /** Values by position, without trailing unknown ones. */
  double[] values() {
    return Arrays.copyOf(dp, length);
  }
}
