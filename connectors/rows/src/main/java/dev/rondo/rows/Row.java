package dev.rondo.rows;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;

/**
 * One slot of the series of one segment in one bundle.
 *
 * @param width positions in the segment; {@code dp} is never longer
 * @param endMs end of the slot, epoch ms
 * @param dp values by position; NaN or a missing position leaves the stored value. Not modified
 *     after construction.
 * @param unknown positions, from index 0, whose stored value is removed first
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; one allocation a row
public record Row(Key key, int width, long endMs, double[] dp, BitSet unknown) {
  private static final BitSet NONE = new BitSet();

  /** Key of a row in the table: index {@code i} of segment {@code seg} of a bundle. */
  public record Key(Bundle bundle, int seg, int i) implements Comparable<Key> {
    private static final Comparator<Key> ORDER =
        Comparator.comparing(Key::bundle).thenComparingInt(Key::seg).thenComparingInt(Key::i);

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }
  }

  /** A row that removes nothing. */
  public Row(Key key, int width, long endMs, double[] dp) {
    this(key, width, endMs, dp, NONE);
  }

  /**
   * Merges {@code later}, of the same key, into this row as the table does: a newer slot replaces,
   * an older one is ignored, the same slot adds its known values.
   */
  public Row then(Row later, WriteMode mode) {
    if (later.endMs != endMs) {
      return later.endMs > endMs ? later : this;
    }
    double[] merged = padded(Math.max(dp.length, later.dp.length));
    for (int p = 0; p < later.dp.length; p++) {
      merged[p] = mode.merged(merged[p], later.dp[p]);
    }
    return new Row(
        key, Math.max(width, later.width), endMs, merged, either(unknown, later.unknown));
  }

  private static BitSet either(BitSet one, BitSet other) {
    if (one.isEmpty()) {
      return other;
    }
    var either = (BitSet) one.clone();
    either.or(other);
    return either;
  }

  /** The last position with a known value; 0 when there is none. */
  public int used() {
    int used = dp.length;
    while (used > 0 && Double.isNaN(dp[used - 1])) {
      used--;
    }
    return used;
  }

  /** The values, padded with NaN or cut to {@code length}, which is not below {@link #used}. */
  public double[] padded(int length) {
    double[] padded = Arrays.copyOf(dp, length);
    Arrays.fill(padded, Math.min(dp.length, length), length, Double.NaN);
    return padded;
  }

  /** Number of known values. */
  public int known() {
    int known = 0;
    for (double value : dp) {
      known += Double.isNaN(value) ? 0 : 1;
    }
    return known;
  }

  /** Whether it only removes values: it makes no slot where none is stored. */
  boolean onlyRemoves() {
    return !unknown.isEmpty() && used() == 0;
  }
}
