package dev.rondo.connect.postgres.sql;

import dev.rondo.connect.postgres.changes.Bundle;
import dev.rondo.connect.postgres.changes.Row;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/**
 * Reads the stored rows by their keys; with their values only if the slot is the same. It locks
 * nothing: {@link UpdateRows} detects rows that another transaction changed in between.
 */
public final class FindRows {
  /** The arrays are in sub-selects, so that the planner always looks up each row by its key. */
  static final String SQL =
      """
      select k.n, ts.xmin, cardinality(ts.dp),
             case when ts.t < k.t then -1 when ts.t = k.t then 0 else 1 end,
             case when ts.t = k.t then ts.dp end
      from (select bundle, seg, i, timestamptz 'epoch' + ms * interval '1 ms' as t, n
              from unnest((select ?::int[]), (select ?::int[]), (select ?::int[]),
                          (select ?::bigint[]))
                     with ordinality as k (bundle, seg, i, ms, n)) as k
      join ts on ts.rra_bundle_id = k.bundle and ts.seg = k.seg and ts.i = k.i
      """;

  private FindRows() {}

  /** Returns stored rows in the order of {@code rows}; null where there is none. */
  public static StoredRow[] execute(Connection connection, List<Row> rows, Map<Bundle, Integer> ids)
      throws SQLException {
    var found = new StoredRow[rows.size()];
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      statement.setObject(1, rows.stream().mapToInt(r -> ids.get(r.key().bundle())).toArray());
      statement.setObject(2, rows.stream().mapToInt(r -> r.key().seg()).toArray());
      statement.setObject(3, rows.stream().mapToInt(r -> r.key().i()).toArray());
      statement.setObject(4, rows.stream().mapToLong(Row::endMs).toArray());
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          found[result.getInt(1) - 1] = stored(result);
        }
      }
    }
    return found;
  }

  private static StoredRow stored(ResultSet result) throws SQLException {
    return new StoredRow(
        (int) result.getLong(2), // xmin: 32 bits, unsigned
        result.getInt(3),
        result.getInt(4),
        values(result.getArray(5)));
  }

  private static double[] values(Array array) throws SQLException {
    if (array == null) {
      return null;
    }
    var elements = (Double[]) array.getArray();
    var values = new double[elements.length];
    for (int p = 0; p < values.length; p++) {
      values[p] = elements[p] == null ? Double.NaN : elements[p];
    }
    return values;
  }
}
