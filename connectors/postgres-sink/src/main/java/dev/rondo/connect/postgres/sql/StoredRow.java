package dev.rondo.connect.postgres.sql;

import dev.rondo.connect.postgres.changes.Row;
import java.util.Arrays;

/**
 * A row as the table held it when it was found.
 *
 * @param version of the row ({@code xmin}): another one as soon as any transaction has changed it
 * @param capacity length of its {@code dp}
 * @param age of its slot beside the wanted one: -1 older (or reserved), 0 the same, 1 newer
 * @param dp its values where the slot is the same, else null
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record StoredRow(int version, int capacity, int age, double[] dp) {

  public boolean isTooShortFor(Row row) {
    return age <= 0 && row.used() > capacity;
  }

  /**
   * Values to store after {@code row} has come, NaN up to the capacity: null where it brings
   * nothing new.
   *
   * @param wanted capacity, where the one it has is too small
   */
  public double[] after(Row row, int wanted) {
    return after(row, wanted, false);
  }

  /** The same for a row of which only what is not known yet is news: {@code Refill}. */
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
