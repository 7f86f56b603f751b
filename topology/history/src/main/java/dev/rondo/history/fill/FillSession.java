package dev.rondo.history.fill;

import dev.rondo.connection.postgres.Session;
import dev.rondo.history.slots.SlotSession;
import dev.rondo.tools.command.CommandException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The connection of a filler. One at a time works in a database: an advisory lock of the session
 * keeps others out. Behind a pooler the lock lasts for a transaction, so fillers take turns.
 */
final class FillSession implements AutoCloseable {
  private static final String LOCK = "('archive_fill'::regclass::oid::bigint)";

  private final SlotSession slots;
  private final Session session;

  private FillSession(SlotSession slots) {
    this.slots = slots;
    this.session = slots.session();
  }

  /** Prepares a new connection, autocommit off. */
  static FillSession open(Connection connection) throws SQLException {
    var fill = new FillSession(SlotSession.openFast(connection));
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

  /** Releases the lock, which the server otherwise keeps until its backend has ended. */
  void release() throws SQLException {
    if (!session.isPooled() && !connection().isClosed()) {
      connection().rollback();
      is("pg_advisory_unlock_all() is not null");
    }
  }

  @Override
  public void close() throws SQLException {
    try {
      release();
    } finally {
      connection().close();
    }
  }

  /** Runs a transaction that commits by itself, again while another one has what it needs. */
  <T> T retried(SlotSession.Step<T> step) throws SQLException, InterruptedException {
    return slots.retried(
        () -> {
          begin();
          return step.run();
        });
  }

  /** Prepares a transaction that writes. Fails like a wait for a lock while another one fills. */
  private void begin() throws SQLException {
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
