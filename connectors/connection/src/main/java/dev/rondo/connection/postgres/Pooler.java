package dev.rondo.connection.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;

/**
 * Detects a connection pooler, such as PgBouncer. It can run each transaction in another backend,
 * and hides that this belongs to another server, or to the same one after a restart.
 */
public final class Pooler {
  /** SQLSTATE of the driver for a lost connection. */
  private static final String LOST = "08006";

  /** Text that differs on another server, database or copy of the tables, and after a restart. */
  private static final String SERVER =
      """
      select concat_ws(' ', extract(epoch from pg_postmaster_start_time()),
        (select oid from pg_database where datname = current_database()), to_regclass('ts')::oid)
      """;

  static final String PARAMETER_ADVICE =
      "; add extra_float_digits to ignore_startup_parameters of PgBouncer, remove others from the URL";

  private Pooler() {}

  /** Whether a pooler stands between a connection and its backend. */
  public static boolean isBetween(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("select pg_backend_pid()")) {
      result.next();
      // A pooler gives its clients its own numbers.
      return connection.unwrap(PGConnection.class).getBackendPID() != result.getInt(1);
    }
  }

  /** Returns the server behind a pooler, for {@link #check}; empty: no pooler is between. */
  public static String serverBehind(Connection connection) throws SQLException {
    return isBetween(connection) ? server(connection) : "";
  }

  private static String server(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(SERVER)) {
      result.next();
      return result.getString(1);
    }
  }

  /**
   * Fails like a lost connection, unless the transaction runs on {@code server}: elsewhere, earlier
   * transactions may be missing, and ids may mean other series.
   */
  public static void check(Connection connection, String server) throws SQLException {
    if (!server(connection).equals(server)) {
      throw new SQLException(
          "the pooler leads to another PostgreSQL, or to one that restarted", LOST);
    }
  }

  /** Whether PgBouncer refuses an unknown parameter; its messages are not translated. */
  static boolean refusesParameter(SQLException e) {
    return "08P01".equals(e.getSQLState())
        && e.getMessage().contains("unsupported startup parameter");
  }
}
