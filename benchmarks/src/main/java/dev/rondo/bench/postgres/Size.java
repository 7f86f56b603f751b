package dev.rondo.bench.postgres;

import java.sql.SQLException;
import java.util.List;

/**
 * What {@code ts} takes, bytes.
 *
 * @param table with what is stored beside it (TOAST)
 */
record Size(long table, long index) {
  static Size of(Sql sql) throws SQLException {
    List<String> row = sql.rows("select pg_table_size('ts'), pg_indexes_size('ts')").get(0);
    return new Size(Long.parseLong(row.get(0)), Long.parseLong(row.get(1)));
  }
}
