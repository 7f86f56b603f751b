package dev.rondo.connection.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;

/**
 * A connection with settings, autocommit off. Behind a pooler, settings of a session would apply to
 * other clients: so each transaction sets them, no statement is prepared in the server, and a
 * transaction on another server fails like a lost connection.
 */
public final class Session {
  private final Connection connection;
  private final String server; // behind a pooler; empty without one
  private final List<String> settings;

  private Session(Connection connection, String server, List<String> settings) {
    this.connection = connection;
    this.server = server;
    this.settings = settings;
  }

  /** Work in one transaction. */
  @FunctionalInterface
  public interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  /**
   * Prepares a new connection.
   *
   * @param settings such as {@code lock_timeout = '1s'}
   */
  public static Session open(Connection connection, String... settings) throws SQLException {
    var session = new Session(connection, Pooler.serverBehind(connection), List.of(settings));
    if (session.isPooled()) {
      connection
          .unwrap(PGConnection.class)
          .setPrepareThreshold(0); // the next backend lacks prepared statements
    } else {
      session.set("set ");
    }
    connection.setAutoCommit(false);
    return session;
  }

  public Connection connection() {
    return connection;
  }

  public boolean isPooled() {
    return !server.isEmpty();
  }

  /** Prepares a transaction; can be called again in the same one. */
  public void begin() throws SQLException {
    if (isPooled()) {
      set("set local ");
      Pooler.check(connection, server);
    }
  }

  /** Runs {@code work} in a transaction, and commits it, or rolls it back if {@code work} fails. */
  public <T> T transaction(Work<T> work) throws SQLException {
    try {
      begin();
      T result = work.run(connection);
      connection.commit();
      return result;
    } catch (SQLException e) {
      rollback(e);
      throw e;
    }
  }

  private void rollback(SQLException failure) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      failure.addSuppressed(e); // the connection is lost
    }
  }

  private void set(String prefix) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(settings.stream().map(prefix::concat).collect(Collectors.joining("; ")));
    }
  }
}
