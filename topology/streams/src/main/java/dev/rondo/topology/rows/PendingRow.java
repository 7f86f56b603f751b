package dev.rondo.topology.rows;

import dev.rondo.topology.lag.Arrival;
import java.util.Arrays;
import java.util.BitSet;

/** A buffered row: one slot of an archive, with the values emitted so far. */
final class PendingRow {
  final long endMs;
  final double[] dp;

  /** Number of positions that have a value. */
  int known;

  /** Number of positions up to the last that has a value. */
  int length;

  /** Time of the newest point of the task when the first value was set, epoch ms. */
  final long sinceNewestMs;

  /** Monotonic clock when the first value was set, ms. */
  final long sinceNowMs;

  /** Arrival of the point that set the first value; null if unknown. */
  final Arrival arrival;

  /** Positions with values in earlier parts of the row; null if there were none. */
  private BitSet sent;

  /** Whether the row no longer lingers. */
  boolean isDue;

  PendingRow(long endMs, int width, long sinceNewestMs, long sinceNowMs, Arrival arrival) {
    this.endMs = endMs;
    this.dp = new double[width];
    this.sinceNewestMs = sinceNewestMs;
    this.sinceNowMs = sinceNowMs;
    this.arrival = arrival;
    Arrays.fill(dp, Double.NaN);
  }

  /** Continues the row after a part of it was sent. */
  void continueAfter(BitSet sent) {
    this.sent = sent;
  }

  void set(int series, double value) {
    if (sent != null && sent.get(series)) {
      sent = null; // a refresh of an open slot starts over
    }
    if (Double.isNaN(dp[series])) {
      known++;
      length = Math.max(length, series + 1);
    }
    dp[series] = value;
  }

  /** Whether {@code live} series have a value, here or in earlier parts. */
  boolean isComplete(int live) {
    return live > 0 && known + (sent == null ? 0 : sent.cardinality()) >= live;
  }

  /** Positions with a value, here or in earlier parts. */
  BitSet positions() {
    BitSet positions = sent == null ? new BitSet(dp.length) : sent;
    for (int series = 0; series < length; series++) {
      if (!Double.isNaN(dp[series])) {
        positions.set(series);
      }
    }
    return positions;
  }

  /** Values by position; NaN = unknown, trailing ones are omitted. */
  double[] values() {
    return Arrays.copyOf(dp, length);
  }
}
