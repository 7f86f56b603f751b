package dev.rondo.connect.postgres.changes;

import java.util.Collection;

/**
 * What a transaction has brought to the tables.
 *
 * @param rows of {@code ts} that it was about, each once
 * @param values known in them
 * @param series entered or retired
 * @param newestEndMs end of the newest slot among the rows, epoch ms; {@code Long.MIN_VALUE} when
 *     there are none
 */
public record Written(int rows, long values, int series, long newestEndMs) {

  public static Written of(Collection<Row> rows, int series) {
    long values = 0;
    long newestEndMs = Long.MIN_VALUE;
    for (Row row : rows) {
      values += row.known();
      newestEndMs = Math.max(newestEndMs, row.endMs());
    }
    return new Written(rows.size(), values, series, newestEndMs);
  }
}
