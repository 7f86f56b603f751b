package dev.rondo.bench.postgres;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.bench.Progress;
import dev.rondo.bench.postgres.server.Server;
import dev.rondo.bench.postgres.server.Sql;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/** Runs the hour, and prints its quarters. */
final class HourRun {
  private static final String ROW = "%5s %7s %8s %8s %7s %7s %6s %9s %7s %8s%n";

  private final Server server;
  private final Sql sql;
  private final int segments;
  private final int quarters;
  private final int snapshotIn;

  HourRun(Server server, Sql sql, int segments, int quarters, int snapshotIn) {
    this.server = server;
    this.sql = sql;
    this.segments = segments;
    this.quarters = quarters;
    this.snapshotIn = snapshotIn;
  }

  void run(boolean json, Progress progress) throws SQLException, IOException {
    List<Hour.Quarter> results =
        new Hour(server, sql, segments).run(quarters, snapshotIn, progress);
    progress.done();
    if (json) {
      System.out.println(new ObjectMapper().writeValueAsString(results));
    } else {
      print(results);
    }
  }

  private void print(List<Hour.Quarter> quarters) throws SQLException {
    System.out.println(server.describe(sql));
    System.out.printf(
        """
        %,d segments; slots of 10 s, round and round an archive of 15 minutes; one row in five in two halves;
        the open slot of an hourly archive each minute. Autovacuum by the clock of the slots, as its
        rule says.%s
        """,
        segments, snapshotIn == 0 ? "" : " * Another session's transaction stays open.");
    System.out.println();
    System.out.printf(
        ROW, "width", "quarter", "table", "index", "table", "HOT %", "dead", "vacuums", "pages a",
        "rows/s");
    System.out.printf(ROW, "", "", "MB", "MB", "B/value", "", "rows", "", "segment", "");
    for (Hour.Quarter quarter : quarters) {
      print(quarter);
    }
  }

  private void print(Hour.Quarter quarter) {
    long rows = (long) segments * Hour.rowsASegment();
    System.out.printf(
        ROW,
        quarter.width(),
        quarter.quarter() + (quarter.quarter() == snapshotIn ? "*" : ""),
        "%,.1f".formatted(quarter.size().table() / 1e6),
        "%,.1f".formatted(quarter.size().index() / 1e6),
        "%.2f".formatted((double) quarter.size().table() / rows / quarter.width()),
        SinkTable.number("%.1f", 100 * quarter.cost().hotShare()),
        "%,d".formatted(quarter.dead()),
        quarter.vacuums(),
        "%.1f".formatted(quarter.pagesASegment()),
        "%,.0f".formatted(quarter.cost().rows() / quarter.cost().seconds()));
  }
}
