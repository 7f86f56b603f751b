package dev.rondo.bench.postgres.server;

import java.sql.SQLException;
import java.util.List;

/**
 * Size of a table, bytes.
 *
 * @param table including TOAST
 */
public record Size(long table, long index) {
  /** Size of {@code ts}. */
  public static Size of(Sql sql) throws SQLException {
    return of(sql, "ts");
  }

  public static Size of(Sql sql, String table) throws SQLException {
    List<String> row =
        sql.rows("select pg_table_size('%1$s'), pg_indexes_size('%1$s')".formatted(table)).get(0);
    return new Size(Long.parseLong(row.get(0)), Long.parseLong(row.get(1)));
  }
}
