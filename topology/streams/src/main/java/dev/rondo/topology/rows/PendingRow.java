package dev.rondo.topology.rows;

import java.util.Arrays;

/** One slot of one archive of a segment, as far as its series have told their values. */
final class PendingRow {
  final long endMs;
  final double[] dp;

  /** Positions that have a value. */
  int known;

  /** Positions up to the last that has a value. */
  int length;

  /** When the first value came: by the partition's points and by the wall clock, epoch ms. */
  final long sincePartitionMs;

  final long sinceWallMs;

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

  /** Values by position, unknown ones at the end left away. */
  double[] values() {
    return Arrays.copyOf(dp, length);
  }
}
