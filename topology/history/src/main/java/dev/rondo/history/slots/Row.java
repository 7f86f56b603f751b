package dev.rondo.history.slots;

import dev.rondo.rows.WriteMode;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;

/**
 * A row of {@code ts} to write: one slot of the series of a segment.
 *
 * @param bundle id of the archive
 * @param i index of the slot in the archive
 * @param endMs end of the slot, epoch ms
 * @param dp values by position, NaN where none is given
 * @param unknown positions, from index 0, whose stored value is removed first
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Row(int bundle, int seg, int i, long endMs, double[] dp, BitSet unknown) {
  /** The order in which rows are locked. */
  static final Comparator<Row> BY_KEY =
      Comparator.comparingInt(Row::bundle).thenComparingInt(Row::seg).thenComparingInt(Row::i);

  /** A row that removes nothing. */
  public Row(int bundle, int seg, int i, long endMs, double[] dp) {
    this(bundle, seg, i, endMs, dp, new BitSet());
  }

  /** Whether it has a value. */
  public boolean isKnown() {
    return Arrays.stream(dp).anyMatch(value -> !Double.isNaN(value));
  }

  /** The same row with these values. */
  Row with(double[] values) {
    return new Row(bundle, seg, i, endMs, values);
  }

  /** The newer one of two rows of the same key, or both if they are of the same slot. */
  Row and(Row other) {
    if (endMs != other.endMs) {
      return endMs > other.endMs ? this : other;
    }
    double[] both = padded(dp, other.dp.length);
    for (int p = 0; p < other.dp.length; p++) {
      both[p] = WriteMode.OVERWRITE.merged(both[p], other.dp[p]);
    }
    var either = (BitSet) unknown.clone();
    either.or(other.unknown);
    return new Row(bundle, seg, i, endMs, both, either);
  }

  /** Its values after a stored row of the same slot; as long as the longer one. */
  double[] after(double[] stored, WriteMode mode) {
    double[] merged = padded(stored, dp.length);
    unknown.stream().filter(p -> p < merged.length).forEach(p -> merged[p] = Double.NaN);
    for (int p = 0; p < dp.length; p++) {
      merged[p] = mode.merged(merged[p], dp[p]);
    }
    return merged;
  }

  /** A copy with at least this many values. */
  static double[] padded(double[] dp, int length) {
    double[] padded = Arrays.copyOf(dp, Math.max(dp.length, length));
    Arrays.fill(padded, dp.length, padded.length, Double.NaN);
    return padded;
  }
}
