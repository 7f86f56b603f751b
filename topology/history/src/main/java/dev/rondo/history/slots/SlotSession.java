package dev.rondo.history.slots;

import dev.rondo.connection.postgres.Pooler;
import dev.rondo.connection.postgres.Session;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/**
 * Transactions that write slots beside a sink. They wait for a lock only briefly, and are repeated
 * instead.
 */
public final class SlotSession {
  /**
   * Waits for a lock end earlier than PostgreSQL looks for a deadlock ({@code deadlock_timeout}, 1
   * s), so that never a sink is the one that is rolled back.
   */
  private static final String LOCK_TIMEOUT = "lock_timeout = '200ms'";

  /** lock_not_available, deadlock_detected, serialization_failure. */
  private static final Set<String> RETRIED = Set.of("55P03", "40P01", "40001");

  private static final int RETRY_MS = 100;

  private final Session session;

  private SlotSession(Session session) {
    this.session = session;
  }

  /** Prepares a new connection, autocommit off. What it has committed is on disk. */
  public static SlotSession open(Connection connection) throws SQLException {
    return open(connection, "on");
  }

  /**
   * The same for work that keeps in the same database how far it is: a crash of the server may undo
   * the last commits, with what says that they are done. They do not wait for the disk, unless a
   * pooler hides the crash from a session that continues.
   */
  public static SlotSession openFast(Connection connection) throws SQLException {
    return open(connection, Pooler.isBetween(connection) ? "on" : "off");
  }

  private static SlotSession open(Connection connection, String synchronousCommit)
      throws SQLException {
    return new SlotSession(
        Session.open(connection, LOCK_TIMEOUT, "synchronous_commit = " + synchronousCommit));
  }

  /** The settings and the state of the connection. */
  public Session session() {
    return session;
  }

  public Connection connection() {
    return session.connection();
  }

  /** Runs {@code work} in a transaction of its own, again while another one has what it needs. */
  public <T> T transaction(Session.Work<T> work) throws SQLException, InterruptedException {
    return retried(() -> session.transaction(work));
  }

  /** A transaction that commits by itself. */
  @FunctionalInterface
  public interface Step<T> {
    T run() throws SQLException;
  }

  /** Runs a transaction, again while another one has what it needs. */
  public <T> T retried(Step<T> step) throws SQLException, InterruptedException {
    while (true) {
      try {
        return step.run();
      } catch (SQLException e) {
        if (!RETRIED.contains(String.valueOf(e.getSQLState()))) {
          throw e;
        }
        connection().rollback();
        Thread.sleep(RETRY_MS);
      }
    }
  }
}
