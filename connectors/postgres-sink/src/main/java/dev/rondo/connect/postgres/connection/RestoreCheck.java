package dev.rondo.connect.postgres.connection;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Checks that a database is not being restored: pg_restore makes keys and triggers last, after all
 * rows. Without them, written series would have no location and no entry in the find index, and
 * their keys could not be made any more.
 */
final class RestoreCheck {
  /** SQLSTATE object_not_in_prerequisite_state, which is retried. */
  private static final String STATE = "55000";

  /** Triggers of {@code ds} and keys that are missing; nothing while there is no table at all. */
  private static final String MISSING =
      """
      select string_agg(name, ', ' order by name) from (
        select 'trigger ' || name
        from unnest(array['add_locations', 'move_location', 'leave_locations',
          'find_index_insert', 'find_index_delete', 'find_index_update']) as needed (name)
        where not exists (
          select from pg_trigger where tgrelid = to_regclass('ds') and tgname = needed.name)
        union all
        select 'primary key of ' || name
        from unnest(array['ds', 'ts', 'rra_bundle', 'location_period']) as needed (name)
        where not exists (
          select from pg_constraint where conrelid = to_regclass(needed.name) and contype = 'p')
      ) as missing (name)
      where to_regclass('ds') is not null
      """;

  private RestoreCheck() {}

  static void check(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(MISSING)) {
      result.next();
      String missing = result.getString(1);
      if (missing != null) {
        throw new SQLException(
            "the database is incomplete: pg_restore is still at work, or it failed (missing: %s)"
                .formatted(missing),
            STATE);
      }
    }
  }
}
