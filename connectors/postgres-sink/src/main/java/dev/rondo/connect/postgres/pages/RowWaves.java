package dev.rondo.connect.postgres.pages;

import dev.rondo.connect.postgres.changes.Row;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Cuts the rows of a put into those that one transaction can replace in their pages. A page has
 * room for one version more, which another row may take only after a commit; so rows that may lie
 * in one page come in one transaction each:
 *
 * <pre>
 *   i      70 71 72 73 74 75 76 77 78 79
 *   wave    0  1  2  3  4  5  6  0  1  2
 * </pre>
 *
 * Usually a put holds one slot of a segment, and there is one wave.
 */
public final class RowWaves {
  /** Rows of a page as the fillfactor of ts fills it, and the most waves of a put. */
  private static final int APART = 7;

  private RowWaves() {}

  /** {@code rows}: sorted by key; so are those of each wave. One wave at least. */
  public static List<List<Row>> cut(Collection<Row> rows) {
    var waves = new ArrayList<List<Row>>();
    waves.add(new ArrayList<>());
    for (Row row : rows) {
      int wave = 0;
      while (wave < waves.size() && isNear(row, waves.get(wave))) {
        wave++;
      }
      if (wave == waves.size()) {
        waves.add(new ArrayList<>());
      }
      waves.get(wave).add(row);
    }
    return waves;
  }

  /**
   * Whether {@code row}, which comes after all of {@code wave}, may be in a page with one of it.
   */
  private static boolean isNear(Row row, List<Row> wave) {
    if (wave.isEmpty()) {
      return false;
    }
    Row.Key last = wave.get(wave.size() - 1).key();
    return last.seg() == row.key().seg()
        && row.key().i() - last.i() < APART
        && last.bundle().equals(row.key().bundle());
  }
}
