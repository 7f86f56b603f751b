package dev.rondo.connect.postgres.connection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Bounds of a session's waits in the server. Where the network swallows everything the server does
 * not learn that its client is gone: without them the backend would keep the locks of its open
 * transaction for hours, in the way of the very same task on its next connection; and backends that
 * wait for a lock would pile up, one for each attempt.
 */
final class SessionBounds {
  /** A shorter bound that the server, the database or the role has is left as it is. */
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

  private SessionBounds() {}

  /**
   * @param silenceMs after which the client takes the connection for dead. A lock is waited for
   *     half as long, so that the client is told
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
