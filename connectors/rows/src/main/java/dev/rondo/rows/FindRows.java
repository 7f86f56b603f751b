package dev.rondo.rows;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Reads the stored rows by their keys; with their values only if the slot is the same. */
public final class FindRows {
  private static final String SQL =
      """
      select k.n, ts.xmin, cardinality(ts.dp),
             case when ts.t < k.t then -1 when ts.t = k.t then 0 else 1 end,
             case when ts.t = k.t then ts.dp end
      from (select bundle, seg, i, n, %s as t
              from %s) with ordinality as k (bundle, seg, i, ms, n)) as k
      join ts on ts.rra_bundle_id = k.bundle and ts.seg = k.seg and ts.i = k.i
      """
          .formatted(KeyColumns.TIME, KeyColumns.UNNEST);

  private FindRows() {}

  /**
   * Returns stored rows in the order of {@code rows}; null where there is none. It locks nothing:
   * {@link MergeRows} detects rows that another transaction changed in between.
   */
  public static StoredRow[] execute(Connection connection, List<Row> rows, Map<Bundle, Integer> ids)
      throws SQLException {
    return execute(connection, SQL, rows, ids);
  }

  /** The same, and locks them in this order: a row that removes values cannot be upserted. */
  public static StoredRow[] lock(Connection connection, List<Row> rows, Map<Bundle, Integer> ids)
      throws SQLException {
    return execute(connection, SQL + "order by k.n for no key update of ts", rows, ids);
  }

  private static StoredRow[] execute(
      Connection connection, String sql, List<Row> rows, Map<Bundle, Integer> ids)
      throws SQLException {
    var found = new StoredRow[rows.size()];
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      KeyColumns.bind(statement, 1, rows, ids);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          found[result.getInt(1) - 1] = stored(result);
        }
      }
    }
    return found;
  }

  private static StoredRow stored(ResultSet result) throws SQLException {
    Array dp = result.getArray(5);
    return new StoredRow(
        (int) result.getLong(2), // xmin: 32 bits, unsigned
        result.getInt(3),
        result.getInt(4),
        dp == null ? null : values(dp));
  }

  /** Values of a stored array; NaN for null. */
  public static double[] values(Array dp) throws SQLException {
    var elements = (Double[]) dp.getArray();
    var values = new double[elements.length];
    for (int p = 0; p < values.length; p++) {
      values[p] = elements[p] == null ? Double.NaN : elements[p];
    }
    return values;
  }
}
