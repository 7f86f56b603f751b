package dev.rondo.connect.postgres.writing;

import dev.rondo.rows.Row;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Cuts the rows of a put into batches, each of which one transaction can replace in place. A page
 * has space for one more row version, and another row can reuse it only after a commit; so rows
 * that may share a page go into different batches:
 *
 * <pre>
 *   i      70 71 72 73 74 75 76 77 78 79
 *   batch   0  1  2  3  4  5  6  0  1  2
 * </pre>
 *
 * Usually a put has one slot of a segment, and there is one batch.
 */
final class RowBatches {
  /** Rows in a page at the fillfactor of {@code ts}: also the maximum number of batches. */
  private static final int ROWS_PER_PAGE = 7;

  private RowBatches() {}

  /** Cuts {@code rows}, sorted by key, into at least one batch; each is sorted by key too. */
  static List<List<Row>> cut(Collection<Row> rows) {
    var batches = new ArrayList<List<Row>>();
    batches.add(new ArrayList<>());
    for (Row row : rows) {
      int batch = 0;
      while (batch < batches.size() && isNear(row, batches.get(batch))) {
        batch++;
      }
      if (batch == batches.size()) {
        batches.add(new ArrayList<>());
      }
      batches.get(batch).add(row);
    }
    return batches;
  }

  /**
   * Whether {@code row}, which follows all rows of {@code batch}, may share a page with one of
   * them.
   */
  private static boolean isNear(Row row, List<Row> batch) {
    if (batch.isEmpty()) {
      return false;
    }
    Row.Key last = batch.get(batch.size() - 1).key();
    return last.seg() == row.key().seg()
        && row.key().i() - last.i() < ROWS_PER_PAGE
        && last.bundle().equals(row.key().bundle());
  }
}
