package dev.rondo.rows;

import java.util.Arrays;
import java.util.BitSet;

/**
 * A row as it was stored when {@link FindRows} read it.
 *
 * @param version {@code xmin} of the row, which changes with each update
 * @param capacity length of its {@code dp}
 * @param age of its slot compared with the new row's: -1 older or preallocated, 0 the same, 1 newer
 * @param dp its values where the slot is the same, else null
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record StoredRow(int version, int capacity, int age, double[] dp) {

  public boolean isTooShortFor(Row row) {
    return age <= 0 && row.used() > capacity;
  }

  /**
   * Returns the values to store after {@code row}, padded with NaN to the capacity; null if it
   * changes nothing.
   *
   * @param wanted new capacity if the present one is too small
   */
  double[] after(Row row, int wanted, WriteMode mode) {
    if (age > 0 || (age < 0 && row.onlyRemoves())) {
      return null;
    }
    int length = isTooShortFor(row) ? wanted : capacity;
    return age < 0 ? row.padded(length) : merged(row, length, mode);
  }

  private double[] merged(Row row, int length, WriteMode mode) {
    double[] merged = null;
    BitSet unknown = row.unknown();
    int end = Math.min(length, Math.max(row.used(), unknown.length()));
    for (int p = 0; p < end; p++) {
      double stored = p < capacity ? dp[p] : Double.NaN;
      double given = p < row.dp().length ? row.dp()[p] : Double.NaN;
      double value = mode.merged(unknown.get(p) ? Double.NaN : stored, given);
      if (Double.compare(value, stored) != 0) {
        if (merged == null) {
          merged = Arrays.copyOf(dp, length);
          Arrays.fill(merged, capacity, length, Double.NaN);
        }
        merged[p] = value;
      }
    }
    return merged;
  }
}
