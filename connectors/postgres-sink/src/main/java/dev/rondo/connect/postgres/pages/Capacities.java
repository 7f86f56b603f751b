package dev.rondo.connect.postgres.pages;

import dev.rondo.connect.postgres.changes.Row;
import java.util.HashMap;
import java.util.Map;

/**
 * How long {@code dp} is to be stored: as long for all rows of a segment, so that each is replaced
 * by one of the same size, in its own page. A segment with few series has short ones: 8, 16, 32 …,
 * up to its width, and beyond it to the next length that a page has room for ({@link PageFit}).
 * What is known of a segment is a hint: rows that turn out to be longer make it grow.
 */
public final class Capacities {
  private static final int LEAST = 8;

  private record Segment(String policy, int seg) {}

  private final Map<Segment, Integer> used = new HashMap<>();

  /**
   * Takes note of {@code row}, and of the capacity of what is stored in its place, 0 if nothing.
   */
  public void note(Row row, int stored) {
    used.merge(segment(row), Math.max(row.used(), stored), Math::max);
  }

  /** Length of {@code dp} for new rows of the segment of {@code row}; not below what row uses. */
  public int of(Row row) {
    int length = Math.max(row.used(), used.getOrDefault(segment(row), 0));
    int step = LEAST;
    while (step < length) {
      step *= 2;
    }
    return PageFit.atLeast(Math.max(row.used(), Math.min(step, row.width())));
  }

  private static Segment segment(Row row) {
    return new Segment(row.key().bundle().policy(), row.key().seg());
  }
}
