package dev.rondo.connect.postgres.sql;

import dev.rondo.connect.postgres.changes.Bundle;
import dev.rondo.connect.postgres.changes.Row;
import dev.rondo.connect.postgres.pages.Capacities;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.Map;

/**
 * Inserts rows, or merges them into what is stored by now: a newer slot replaces, the same slot
 * adds its known values, an older one is ignored. It is idempotent. Used for rows that are not
 * preallocated, and for those that another transaction changed in between.
 */
public final class UpsertBundleRow {
  /** A stored row never becomes shorter. */
  static final String SQL = sql("ts.dp, excluded.dp");

  private static final String FILL = sql("excluded.dp, ts.dp");

  private UpsertBundleRow() {}

  /** Writes {@code rows}, sorted by key so that tasks lock in one order; {@code ids} by bundle. */
  public static void execute(
      Connection connection,
      Collection<Row> rows,
      Map<Bundle, Integer> ids,
      Capacities capacities,
      boolean fills)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(fills ? FILL : SQL)) {
      for (Row row : rows) {
        statement.setInt(1, ids.get(row.key().bundle()));
        statement.setInt(2, row.key().seg());
        statement.setInt(3, row.key().i());
        statement.setObject(4, Instant.ofEpochMilli(row.endMs()).atOffset(ZoneOffset.UTC));
        statement.setObject(5, row.padded(capacities.of(row))); // float8[], binary
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private static String sql(String merged) {
    return """
      insert into ts (rra_bundle_id, seg, i, t, dp) values (?, ?, ?, ?, ?)
      on conflict (rra_bundle_id, seg, i) do update
        set t = excluded.t,
            dp = case when excluded.t = ts.t then rondo_merge(%s)
                      else excluded.dp || array_fill(
                        double precision 'NaN',
                        array[greatest(cardinality(ts.dp) - cardinality(excluded.dp), 0)]) end
        where excluded.t >= ts.t
      """
        .formatted(merged);
  }
}
