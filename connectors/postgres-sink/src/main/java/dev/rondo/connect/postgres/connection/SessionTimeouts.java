package dev.rondo.connect.postgres.connection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Sets the server-side timeouts of a session. When the network drops packets silently, the server
 * does not learn that its client is gone: without timeouts its backend would keep the locks of the
 * open transaction for hours and block the next connection of the same task, and backends that wait
 * for a lock would pile up, one per attempt.
 */
final class SessionTimeouts {
  /** Keeps a shorter timeout of the server, the database or the role. */
  static final String SQL =
      """
      with bounds (name, ms) as (
        values ('idle_in_transaction_session_timeout', ?), ('lock_timeout', ?),
               ('tcp_user_timeout', ?)
      ), now as materialized ( -- first: not every setting is a number
        select name, setting::bigint as ms from pg_settings
        where name in (select name from bounds)
      )
      select set_config(name, bounds.ms, false)
      from bounds join now using (name)
      where now.ms = 0 or now.ms > bounds.ms::bigint
      """;

  private SessionTimeouts() {}

  /**
   * Sets the timeouts.
   *
   * @param silenceMs after which the client considers the connection dead; a lock is waited for
   *     half as long, so that the error reaches the client
   */
  static void set(Connection connection, int silenceMs) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      statement.setString(1, Integer.toString(silenceMs));
      statement.setString(2, Integer.toString(silenceMs / 2));
      statement.setString(3, Integer.toString(silenceMs));
      statement.execute();
    }
  }
}
