package dev.rondo.topology.rows;

import dev.rondo.topology.lag.Arrival;
import java.util.Arrays;
import java.util.BitSet;

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

  /** Of the point that set the first value; null if it is not known. */
  final Arrival arrival;

  /** Positions whose values an earlier part of the row contained; null if it was none. */
  private BitSet sent;

  /** Whether it does not linger. */
  boolean isDue;

  PendingRow(long endMs, int width, long sincePartitionMs, long sinceWallMs, Arrival arrival) {
    this.endMs = endMs;
    this.dp = new double[width];
    this.sincePartitionMs = sincePartitionMs;
    this.sinceWallMs = sinceWallMs;
    this.arrival = arrival;
    Arrays.fill(dp, Double.NaN);
  }

  /** Continues the row after a part of it was sent. */
  void follow(BitSet sent) {
    this.sent = sent;
  }

  void set(int series, double value) {
    if (sent != null && sent.get(series)) {
      sent = null; // the values are set anew, as at each refresh of an open slot
    }
    if (Double.isNaN(dp[series])) {
      known++;
      length = Math.max(length, series + 1);
    }
    dp[series] = value;
  }

  /** Whether {@code live} series have a value, here or in the parts that were sent. */
  boolean isComplete(int live) {
    return live > 0 && known + (sent == null ? 0 : sent.cardinality()) >= live;
  }

  /** Positions that have a value, here or in the parts that were sent. */
  BitSet positions() {
    BitSet positions = sent == null ? new BitSet(dp.length) : sent;
    for (int series = 0; series < length; series++) {
      if (!Double.isNaN(dp[series])) {
        positions.set(series);
      }
    }
    return positions;
  }

  /** Values by position, without trailing unknown ones. */
  double[] values() {
    return Arrays.copyOf(dp, length);
  }
}
