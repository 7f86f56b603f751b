package dev.rondo.tools.fill;

import dev.rondo.tools.command.CommandException;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * Fills all archives that need it, one segment after the other. One at a time works in a database:
 * an advisory lock keeps others out.
 */
final class Filler {
  /**
   * Waits for a lock end earlier than PostgreSQL looks for a deadlock ({@code deadlock_timeout}, 1
   * s), so that never a sink is the one that is rolled back.
   */
  private static final String SESSION =
      "set lock_timeout = '200ms'; set synchronous_commit = off;"
          + " set application_name = 'rondo-fill'";

  /** lock_not_available, deadlock_detected, serialization_failure. */
  private static final Set<String> RETRIED = Set.of("55P03", "40P01", "40001");

  private static final int RETRY_MS = 100;

  private final Readiness readiness;
  private final Throttle throttle;
  private final PrintStream out;

  /** Slots to fill, some in each transaction. */
  @FunctionalInterface
  interface Work {
    /** Fills the next slots and commits. */
    SegmentFill.Progress next(Connection connection) throws SQLException;
  }

  Filler(Readiness readiness, long rowsPerSecond, PrintStream out) {
    this.readiness = readiness;
    this.throttle = new Throttle(rowsPerSecond);
    this.out = out;
  }

  /** Prepares a session. Returns false if another process fills the archives of this database. */
  static boolean open(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      try (var found = statement.executeQuery("select to_regclass('archive_fill') is not null")) {
        found.next();
        if (!found.getBoolean(1)) {
          throw CommandException.refused(
              "the database lacks the table archive_fill: run ./rondo migrate (--postgres)");
        }
      }
      statement.execute(SESSION);
      try (var locked =
          statement.executeQuery(
              "select pg_try_advisory_lock('archive_fill'::regclass::oid::bigint)")) {
        locked.next();
        boolean isAlone = locked.getBoolean(1);
        connection.commit();
        return isAlone;
      }
    }
  }

  /** Fills what can be filled now; returns the number of segments that have to wait. */
  int fill(Connection connection) throws SQLException, InterruptedException {
    FillTables.begin(connection);
    int waiting = 0;
    for (Fill fill : FillTables.open(connection)) {
      int left = 0;
      List<Integer> segments = FillTables.openSegments(connection, fill.archive().id());
      for (int seg : segments) {
        boolean isReady = readiness.isReady(connection, fill, seg);
        connection.commit();
        if (!isReady || !fill(connection, new SegmentFill(fill, seg))) {
          left++;
        }
      }
      if (left < segments.size()) {
        out.printf(
            "%s: %d segments filled, %d wait%n",
            fill.archive().title(), segments.size() - left, left);
      }
      waiting += left;
    }
    return waiting + fillMoved(connection);
  }

  /** Fills segments for the series that have moved there. */
  private int fillMoved(Connection connection) throws SQLException, InterruptedException {
    List<Stays.Segment> segments = Stays.segments(connection);
    int waiting = 0;
    for (Stays.Segment segment : segments) {
      boolean isReady =
          readiness.isReady(
              connection,
              Instant.ofEpochMilli(segment.latestMs()),
              segment.policy(),
              segment.seg(),
              segment.latestMs());
      connection.commit();
      if (!isReady || !fill(connection, new MoveFill(segment))) {
        waiting++;
      }
    }
    if (waiting < segments.size()) {
      out.printf(
          "series that moved: %d segments filled, %d wait%n", segments.size() - waiting, waiting);
    }
    return waiting;
  }

  /** Returns false if the archive was removed meanwhile. */
  private boolean fill(Connection connection, Work work) throws SQLException, InterruptedException {
    try {
      while (true) {
        SegmentFill.Progress progress = next(connection, work);
        throttle.pass(progress.rows());
        if (progress.finished()) {
          return true;
        }
      }
    } catch (SegmentFill.GoneException e) {
      connection.rollback();
      out.println(e.getMessage());
      return false;
    }
  }

  private static SegmentFill.Progress next(Connection connection, Work work)
      throws SQLException, InterruptedException {
    while (true) {
      try {
        return work.next(connection);
      } catch (SQLException e) {
        if (!RETRIED.contains(String.valueOf(e.getSQLState()))) {
          throw e;
        }
        connection.rollback();
        Thread.sleep(RETRY_MS);
      }
    }
  }
}
