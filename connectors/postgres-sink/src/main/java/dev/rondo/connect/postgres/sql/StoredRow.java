package dev.rondo.connect.postgres.sql;

import dev.rondo.connect.postgres.changes.Row;
import java.util.Arrays;

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
  public double[] after(Row row, int wanted) {
    return after(row, wanted, false);
  }

  /** The same for a {@code Refill}, which only fills in unknown values. */
  public double[] filled(Row row, int wanted) {
    return after(row, wanted, true);
  }

  private double[] after(Row row, int wanted, boolean fills) {
    if (age > 0) {
      return null;
    }
    int length = isTooShortFor(row) ? wanted : capacity;
    return age < 0 ? row.padded(length) : merged(row, length, fills);
  }

  private double[] merged(Row row, int length, boolean fills) {
    double[] merged = null;
    for (int p = 0; p < row.used(); p++) {
      double news = row.dp()[p];
      double stored = p < capacity ? dp[p] : Double.NaN;
      boolean isNew = fills ? Double.isNaN(stored) : Double.compare(news, stored) != 0;
      if (!Double.isNaN(news) && isNew) {
        if (merged == null) {
          merged = Arrays.copyOf(dp, length);
          Arrays.fill(merged, capacity, length, Double.NaN);
        }
        merged[p] = news;
      }
    }
    return merged;
  }
}
