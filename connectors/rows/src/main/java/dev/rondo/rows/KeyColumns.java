package dev.rondo.rows;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Binds the keys and slots of many rows as one array parameter per column. */
final class KeyColumns {
  /**
   * Begins a relation of bundle, seg, i and ms. The arrays are in sub-selects, so that the planner
   * always looks up each row by its key.
   */
  static final String UNNEST =
      "unnest((select ?::int[]), (select ?::int[]), (select ?::int[]), (select ?::bigint[])";

  /** End of the slot of such a row. */
  static final String TIME = "timestamptz 'epoch' + ms * interval '1 ms'";

  private KeyColumns() {}

  /** Sets four parameters from {@code first} on. */
  static void bind(PreparedStatement statement, int first, List<Row> rows, Map<Bundle, Integer> ids)
      throws SQLException {
    statement.setObject(first, rows.stream().mapToInt(r -> ids.get(r.key().bundle())).toArray());
    statement.setObject(first + 1, rows.stream().mapToInt(r -> r.key().seg()).toArray());
    statement.setObject(first + 2, rows.stream().mapToInt(r -> r.key().i()).toArray());
    statement.setObject(first + 3, rows.stream().mapToLong(Row::endMs).toArray());
  }
}
