package dev.rondo.connection.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;

/** A connection pooler, such as PgBouncer. It may give each transaction another backend. */
public final class Pooler {
  static final String PARAMETER_ADVICE =
      "; add extra_float_digits to ignore_startup_parameters of PgBouncer, remove others from the URL";

  private Pooler() {}

  /** Whether a pooler stands between a connection and its backend. */
  public static boolean isBetween(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("select pg_backend_pid()")) {
      result.next();
      // A pooler gives its clients numbers of its own.
      return connection.unwrap(PGConnection.class).getBackendPID() != result.getInt(1);
    }
  }

  /** PgBouncer refuses parameters that it does not know; its messages are not translated. */
  static boolean refusesParameter(SQLException e) {
    return "08P01".equals(e.getSQLState())
        && e.getMessage().contains("unsupported startup parameter");
  }
}
