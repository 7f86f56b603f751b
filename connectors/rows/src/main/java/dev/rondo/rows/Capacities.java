package dev.rondo.rows;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Chooses the stored length of {@code dp}: the same for all rows of a segment, so that PostgreSQL
 * replaces each row by one of the same size in its own page. A segment with few series has short
 * rows: 8, 16, 32 … values up to its width, rounded up to a length that leaves space in a page
 * ({@link PageFit}). What is known of a segment is a hint: longer rows make it grow.
 */
public final class Capacities {
  private static final int MIN_LENGTH = 8;

  private record Segment(String policy, int seg) {}

  private final Map<Segment, Integer> used = new HashMap<>();

  /** Records the lengths of rows, and the stored ones of those that were found. */
  public void observe(List<Row> rows, StoredRow[] found) {
    for (int r = 0; r < found.length; r++) {
      observe(rows.get(r), found[r] == null ? 0 : found[r].capacity());
    }
  }

  /** Records the length of {@code row} and the stored capacity of its key, 0 if there is no row. */
  public void observe(Row row, int stored) {
    used.merge(segment(row), Math.max(row.used(), stored), Math::max);
  }

  /**
   * Returns the length of {@code dp} for new rows of the segment, at least what {@code row} uses.
   */
  public int of(Row row) {
    int length = Math.max(row.used(), used.getOrDefault(segment(row), 0));
    int step = MIN_LENGTH;
    while (step < length) {
      step *= 2;
    }
    return PageFit.roundUp(Math.max(row.used(), Math.min(step, row.width())));
  }

  private static Segment segment(Row row) {
    return new Segment(row.key().bundle().policy(), row.key().seg());
  }
}
