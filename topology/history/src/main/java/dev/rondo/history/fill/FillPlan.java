package dev.rondo.history.fill;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What would be filled. */
final class FillPlan {
  private FillPlan() {}

  /** What would be filled from what. Changes nothing. */
  static List<String> lines(FillSession session) throws SQLException {
    Connection connection = session.connection();
    FillTables.prepare(connection);
    var lines = new ArrayList<String>();
    for (Fill fill : FillTables.open(connection)) {
      StoredArchive archive = fill.archive();
      int segments = FillTables.openSegments(connection, archive.id()).size();
      lines.add("%s: %d segments".formatted(archive.title(), segments));
      List<StoredArchive> all = FillTables.archives(connection, archive.policy());
      for (Sources.Piece piece : Sources.of(archive, fill.untilMs(), all)) {
        lines.add(
            "  from %s: %s to %s"
                .formatted(
                    piece.source().title(),
                    Instant.ofEpochMilli(piece.fromMs()),
                    Instant.ofEpochMilli(piece.toMs())));
      }
    }
    for (LocationPeriods.Segment segment : LocationPeriods.segments(connection)) {
      int series = LocationPeriods.arrived(connection, segment.policy(), segment.seg()).size();
      lines.add(
          "%s, segment %d: %d series that moved there"
              .formatted(segment.policy(), segment.seg(), series));
    }
    connection.rollback();
    if (lines.isEmpty()) {
      lines.add("no archive is to be filled");
    }
    return lines;
  }
}
