package dev.rondo.history.job;

import dev.rondo.history.slots.SlotWriter.Slots;
import dev.rondo.topology.archive.Archive;
import dev.rondo.topology.policy.Policy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Values of series, each at its location, gathered into rows. */
final class SlotBatch {
  private static final int FIRST_LENGTH = 8;

  private static final Comparator<Slots> ORDER =
      Comparator.<Slots, String>comparing(slots -> slots.policy().name())
          .thenComparing(slots -> slots.archive().function())
          .thenComparingLong(slots -> slots.archive().shape().stepMs())
          .thenComparingInt(Slots::seg)
          .thenComparingLong(Slots::endMs);

  private final Map<Row, double[]> rows = new HashMap<>();
  private long values;

  private record Row(Policy policy, Archive archive, int seg, long endMs) {}

  /**
   * Adds a value.
   *
   * @param pos position, from 1
   */
  void add(Policy policy, Archive archive, int seg, long endMs, int pos, double value) {
    rows.compute(
        new Row(policy, archive, seg, endMs),
        (row, dp) -> set(dp == null ? new double[0] : dp, pos, value));
    values++;
  }

  private static double[] set(double[] dp, int pos, double value) {
    double[] wide = dp;
    if (pos > dp.length) {
      wide = Arrays.copyOf(dp, Math.max(Math.max(pos, FIRST_LENGTH), 2 * dp.length));
      Arrays.fill(wide, dp.length, wide.length, Double.NaN);
    }
    wide[pos - 1] = value;
    return wide;
  }

  /** Number of values. */
  long values() {
    return values;
  }

  /** The rows, in the order in which they are stored. */
  List<Slots> slots() {
    var slots = new ArrayList<Slots>();
    rows.forEach(
        (row, dp) -> slots.add(new Slots(row.policy, row.archive, row.seg, row.endMs, cut(dp))));
    slots.sort(ORDER);
    return slots;
  }

  /** Without unknown values at the end. */
  private static double[] cut(double[] dp) {
    int length = dp.length;
    while (length > 0 && Double.isNaN(dp[length - 1])) {
      length--;
    }
    return Arrays.copyOf(dp, length);
  }

  void clear() {
    rows.clear();
    values = 0;
  }
}
