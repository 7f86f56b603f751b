package dev.rondo.connect.postgres.connection;

import dev.rondo.connection.postgres.Pooler;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * What the sink's statements rely on: isolation and server-side timeouts. When the network drops
 * packets silently, the server does not learn that its client is gone: without timeouts its backend
 * would keep the locks of the open transaction for hours and block the next connection of the same
 * task, and backends that wait for a lock would pile up, one per attempt.
 *
 * <p>A pooler such as PgBouncer may give each transaction another backend. Then they are set for
 * each transaction, since those of a session would apply to other clients instead; and each makes
 * sure that it runs on the same server as those before.
 *
 * @param server of a pooler between the connection and its backend; empty: there is none
 * @param settings statements that set the settings for a session
 */
record Session(String server, String settings) {
  /**
   * Sets isolation whatever the default of the server or the role is: a statement that waited for a
   * lock continues with what the other transaction wrote.
   */
  private static final String ISOLATION =
      "set session characteristics as transaction isolation level read committed";

  private static final String ISOLATION_OF_TRANSACTION =
      "set transaction isolation level read committed";

  /** Keeps a shorter timeout of the server, the database or the role. */
  private static final String READ =
      """
      with bounds (name, ms) as (
        values ('idle_in_transaction_session_timeout', ?), ('lock_timeout', ?),
               ('tcp_user_timeout', ?)
      ), now as materialized ( -- first: not every setting is a number
        select name, setting::bigint as ms from pg_settings
        where name in (select name from bounds)
      )
      select coalesce(string_agg(format('; set %s = %s', name, bounds.ms), '' order by name)
        filter (where now.ms = 0 or now.ms > bounds.ms), '')
      from bounds join now using (name)
      """;

  /**
   * Reads what to set.
   *
   * @param silenceMs after which the client considers the connection dead; a lock is waited for
   *     half as long, so that the error reaches the client
   */
  static Session read(Connection connection, int silenceMs) throws SQLException {
    String server = Pooler.serverBehind(connection);
    try (PreparedStatement statement = connection.prepareStatement(READ)) {
      statement.setLong(1, silenceMs);
      statement.setLong(2, silenceMs / 2);
      statement.setLong(3, silenceMs);
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        return new Session(server, result.getString(1));
      }
    }
  }

  /** Whether a pooler stands between the connection and its backend. */
  boolean isPooled() {
    return !server.isEmpty();
  }

  /** Prepares a new connection. */
  void open(Connection connection) throws SQLException {
    if (!isPooled()) {
      execute(connection, ISOLATION + settings);
    }
  }

  /**
   * Prepares a transaction; a second time in the same one changes nothing.
   *
   * @throws SQLException also if a pooler gave it another server
   */
  void begin(Connection connection) throws SQLException {
    if (isPooled()) {
      execute(connection, ISOLATION_OF_TRANSACTION + settings.replace("; set ", "; set local "));
      Pooler.check(connection, server);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
