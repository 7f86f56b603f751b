package dev.rondo.connect.postgres.changes;

import java.util.Arrays;
import java.util.Comparator;

/**
 * One slot of the series of one segment in one bundle.
 *
 * @param width positions in a segment; {@code dp} is never longer
 * @param xff least known share, 0..1
 * @param whisper whether the policy is in Whisper mode
 * @param aggregate function that the policy is shown by
 * @param endMs end of the slot, epoch ms
 * @param dp values by position; NaN or a missing position leaves the stored value. Not modified
 *     after construction.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; one allocation a row
public record Row(
    Key key, int width, double xff, boolean whisper, String aggregate, long endMs, double[] dp)
    implements Change {

  /** Key of a row in the table: index {@code i} of segment {@code seg} of a bundle. */
  public record Key(Bundle bundle, int seg, int i) implements Comparable<Key> {
    private static final Comparator<Key> ORDER =
        Comparator.comparing(Key::bundle).thenComparingInt(Key::seg).thenComparingInt(Key::i);

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }
  }

  /**
   * Merges {@code later}, of the same key, into this row as the table does: a newer slot replaces,
   * an older one is ignored, the same slot adds its known values.
   */
  public Row then(Row later) {
    if (later.endMs != endMs) {
      return later.endMs > endMs ? later : this;
    }
    double[] merged = Arrays.copyOf(dp, Math.max(dp.length, later.dp.length));
    Arrays.fill(merged, dp.length, merged.length, Double.NaN);
    for (int p = 0; p < later.dp.length; p++) {
      if (!Double.isNaN(later.dp[p])) {
        merged[p] = later.dp[p];
      }
    }
    return new Row(key, later.width, later.xff, later.whisper, later.aggregate, endMs, merged);
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
}
