package dev.rondo.tools.fill;

import dev.rondo.schemas.postgres.Session;
import dev.rondo.tools.command.CommandException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The connection of a filler. One at a time works in a database: an advisory lock of the session
 * keeps others out. Behind a pooler the lock lasts for a transaction, so fillers take turns.
 */
final class FillSession {
  /**
   * Waits for a lock end earlier than PostgreSQL looks for a deadlock ({@code deadlock_timeout}, 1
   * s), so that never a sink is the one that is rolled back.
   */
  private static final String[] SETTINGS = {"lock_timeout = '200ms'", "synchronous_commit = off"};

  private static final String LOCK = "('archive_fill'::regclass::oid::bigint)";

  private final Session session;

  private FillSession(Session session) {
    this.session = session;
  }

  /** Prepares a new connection, autocommit off. */
  static FillSession open(Connection connection) throws SQLException {
    var fill = new FillSession(Session.open(connection, SETTINGS));
    if (!fill.is("to_regclass('archive_fill') is not null")) {
      throw CommandException.refused(
          "the database lacks the table archive_fill: run ./rondo migrate (--postgres)");
    }
    return fill;
  }

  Connection connection() {
    return session.connection();
  }

  /** Acquires the lock; returns false if another process fills the archives of this database. */
  boolean lock() throws SQLException {
    return is((session.isPooled() ? "pg_try_advisory_xact_lock" : "pg_try_advisory_lock") + LOCK);
  }

  /** Prepares a transaction that writes. Fails like a wait for a lock while another one fills. */
  void begin() throws SQLException {
    session.begin();
    if (session.isPooled()) {
      try (Statement statement = connection().createStatement()) {
        statement.execute("select pg_advisory_xact_lock" + LOCK);
      }
    }
  }

  private boolean is(String condition) throws SQLException {
    return session.transaction(
        connection -> {
          try (Statement statement = connection.createStatement();
              ResultSet result = statement.executeQuery("select " + condition)) {
            result.next();
            return result.getBoolean(1);
          }
        });
  }
}
