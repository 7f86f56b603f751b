package dev.rondo.history.fill;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/** Fills all archives that need it, one segment after the other. */
final class Filler {
  private final Readiness readiness;
  private final Throttle throttle;
  private final Consumer<String> out;

  /** Slots to fill, some in each transaction. */
  @FunctionalInterface
  interface Work {
    /** Fills the next slots and commits. */
    SegmentFill.Progress next(Connection connection) throws SQLException;
  }

  /**
   * @param out receives lines for people
   */
  Filler(Readiness readiness, long rowsPerSecond, Consumer<String> out) {
    this.readiness = readiness;
    this.throttle = new Throttle(rowsPerSecond);
    this.out = out;
  }

  /** Fills what can be filled now; returns the number of segments that have to wait. */
  int fill(FillSession session) throws SQLException, InterruptedException {
    Connection connection = session.connection();
    session.retried(
        () -> {
          FillTables.begin(connection);
          return null;
        });
    int waiting = 0;
    for (Fill fill : FillTables.open(connection)) {
      int left = 0;
      List<Integer> segments = FillTables.openSegments(connection, fill.archive().id());
      for (int seg : segments) {
        boolean isReady = readiness.isReady(connection, fill, seg);
        connection.commit();
        if (!isReady || !fill(session, new SegmentFill(fill, seg))) {
          left++;
        }
      }
      if (left < segments.size()) {
        out.accept(
            "%s: %d segments filled, %d wait"
                .formatted(fill.archive().title(), segments.size() - left, left));
      }
      waiting += left;
    }
    waiting += fillMoved(session);
    connection.commit(); // the next look may be long after
    return waiting;
  }

  /** Fills segments for the series that have moved there. */
  private int fillMoved(FillSession session) throws SQLException, InterruptedException {
    Connection connection = session.connection();
    List<LocationPeriods.Segment> segments = LocationPeriods.segments(connection);
    int waiting = 0;
    for (LocationPeriods.Segment segment : segments) {
      boolean isReady =
          readiness.isReady(
              connection,
              Instant.ofEpochMilli(segment.latestMs()),
              segment.policy(),
              segment.seg(),
              segment.latestMs());
      connection.commit();
      if (!isReady || !fill(session, new MoveFill(segment))) {
        waiting++;
      }
    }
    if (waiting < segments.size()) {
      out.accept(
          "series that moved: %d segments filled, %d wait"
              .formatted(segments.size() - waiting, waiting));
    }
    return waiting;
  }

  /** Returns false if the archive was removed meanwhile. */
  private boolean fill(FillSession session, Work work) throws SQLException, InterruptedException {
    try {
      while (true) {
        SegmentFill.Progress progress = session.retried(() -> work.next(session.connection()));
        throttle.pass(progress.rows());
        if (progress.finished()) {
          return true;
        }
      }
    } catch (SegmentFill.GoneException e) {
      session.connection().rollback();
      out.accept(e.getMessage());
      return false;
    }
  }
}
