package dev.rondo.connect.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.Map;

/**
 * Writes rows over what the table holds: a newer slot replaces, the same one gives its known
 * values, an older one is ignored. To do it twice is to do it once.
 */
final class UpsertBundleRow {
  static final String SQL =
      """
      insert into ts (rra_bundle_id, seg, i, t, dp) values (?, ?, ?, ?, ?)
      on conflict (rra_bundle_id, seg, i) do update
        set t = excluded.t,
            dp = case when excluded.t > ts.t then excluded.dp
                      else rondo_merge(ts.dp, excluded.dp) end
        where excluded.t > ts.t or excluded.t = ts.t and excluded.dp <> '{}'
      """;

  private UpsertBundleRow() {}

  /** {@code rows}: sorted by key, so that tasks lock in one order; {@code ids} by bundle. */
  static void execute(Connection connection, Collection<Row> rows, Map<Bundle, Integer> ids)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      for (Row row : rows) {
        statement.setInt(1, ids.get(row.key().bundle()));
        statement.setInt(2, row.key().seg());
        statement.setInt(3, row.key().i());
        statement.setObject(4, Instant.ofEpochMilli(row.endMs()).atOffset(ZoneOffset.UTC));
        statement.setObject(5, row.dp()); // float8[], binary
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }
}
