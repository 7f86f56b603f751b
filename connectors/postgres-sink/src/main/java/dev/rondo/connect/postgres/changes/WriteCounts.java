package dev.rondo.connect.postgres.changes;

import dev.rondo.rows.Row;
import java.util.Collection;

/**
 * What was written, including what changed nothing because it was stored before.
 *
 * @param rows of {@code ts}, each counted once
 * @param values known values in these rows
 * @param series inserted, updated or retired
 */
public record WriteCounts(int rows, long values, int series) {

  public static WriteCounts of(Collection<Row> rows, int series) {
    return new WriteCounts(rows.size(), rows.stream().mapToLong(Row::known).sum(), series);
  }
}
