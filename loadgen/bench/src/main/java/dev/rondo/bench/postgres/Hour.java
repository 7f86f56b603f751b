package dev.rondo.bench.postgres;

import dev.rondo.bench.Progress;
import dev.rondo.bench.postgres.rows.Archive;
import dev.rondo.bench.postgres.rows.Part;
import dev.rondo.bench.postgres.rows.Rows;
import dev.rondo.bench.postgres.rows.Sink;
import dev.rondo.bench.postgres.server.Autovacuum;
import dev.rondo.bench.postgres.server.Server;
import dev.rondo.bench.postgres.server.Size;
import dev.rondo.bench.postgres.server.Sql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * An hour of writes at full speed: slots of 10 s in an archive of 15 minutes, which wraps around;
 * one row in five arrives in two halves; the open slot of an hourly archive is rewritten every
 * minute.
 */
final class Hour {
  private static final int SLOTS_A_QUARTER = 90;
  private static final int SLOTS_A_MINUTE = 6;
  private static final int HOURS = 24;
  private static final int IN_TWO_PARTS = 5; // one in five

  private final Server server;
  private final Sql sql;
  private final Archive archive;
  private final Rows rows;
  private final Rows hourly;
  private int minutes;

  Hour(Server server, Sql sql, int segments) {
    int width = Archive.WIDTH;
    this.server = server;
    this.sql = sql;
    this.archive = new Archive("bench", 10_000, SLOTS_A_QUARTER, segments, width);
    this.rows = new Rows(archive);
    this.hourly = new Rows(new Archive("bench", 3_600_000, HOURS, segments, width));
  }

  /**
   * A quarter of the hour.
   *
   * @param dead dead row versions at its end
   * @param vacuums vacuum runs in it
   * @param pagesASegment pages with rows of one segment of the 10 s archive
   */
  record Quarter(
      int width, int quarter, Cost cost, Size size, long dead, int vacuums, double pagesASegment) {}

  /** Rows of both full archives. */
  static int rowsASegment() {
    return SLOTS_A_QUARTER + HOURS;
  }

  /**
   * @param count number of quarters
   * @param snapshotIn the quarter in which another session's transaction stays open, from 1; 0:
   *     none
   */
  List<Quarter> run(int count, int snapshotIn, Progress progress) throws SQLException {
    server.resetTables(sql);
    sql.execute("alter table ts set (autovacuum_enabled = false)"); // its clock is simulated
    fillHourly();
    var quarters = new ArrayList<Quarter>();
    for (int quarter = 1; quarter <= count; quarter++) {
      String what = "quarter " + quarter;
      if (quarter == snapshotIn) {
        try (Sql other = server.connect()) {
          other.execute("begin isolation level repeatable read");
          other.number("select count(*) from rra_bundle");
          quarters.add(quarter(quarter, what, progress));
        }
      } else {
        quarters.add(quarter(quarter, what, progress));
      }
    }
    return quarters;
  }

  private void fillHourly() throws SQLException {
    try (Sink sink = Sink.start(server, sql, Map.of())) {
      for (int hour = 0; hour < HOURS; hour++) {
        sink.put(hourly.slot(0, hour, 0, archive.segments(), Part.ALL));
      }
    }
    sql.execute("analyze ts");
  }

  private Quarter quarter(int quarter, String what, Progress progress) throws SQLException {
    Cost cost = Cost.NONE;
    int vacuums = 0;
    for (int i = 0; i < SLOTS_A_QUARTER; i += SLOTS_A_MINUTE) {
      progress.show(what, i, SLOTS_A_QUARTER);
      cost = cost.plus(minute(quarter, i));
      vacuums += Autovacuum.run(sql) ? 1 : 0; // after the sink's session, whose counts it sees
    }
    long dead =
        sql.number("select n_dead_tup from pg_stat_user_tables where relid = 'ts'::regclass");
    return new Quarter(
        archive.width(), quarter, cost, Size.of(sql), dead, vacuums, pagesASegment());
  }

  private Cost minute(int round, int from) throws SQLException {
    Meter meter = Meter.start(server, sql, Sink.start(server, sql, Map.of()));
    for (int i = from; i < from + SLOTS_A_MINUTE; i++) {
      meter.put(slot(round, i), archive.width());
      meter.put(secondHalves(round, i), archive.width() / 2);
    }
    minutes++;
    meter.put(openSlot(), archive.width());
    return meter.stop();
  }

  private List<SinkRecord> slot(int round, int i) {
    var records = new ArrayList<SinkRecord>();
    for (int seg = 0; seg < archive.segments(); seg++) {
      records.add(rows.row(round, i, seg, seg % IN_TWO_PARTS == 0 ? Part.ODD : Part.ALL));
    }
    return records;
  }

  private List<SinkRecord> secondHalves(int round, int i) {
    var records = new ArrayList<SinkRecord>();
    for (int seg = 0; seg < archive.segments(); seg += IN_TWO_PARTS) {
      records.add(rows.row(round, i, seg, Part.EVEN));
    }
    return records;
  }

  private List<SinkRecord> openSlot() {
    var records = new ArrayList<SinkRecord>();
    for (int seg = 0; seg < archive.segments(); seg++) {
      records.add(hourly.row(1, 0, seg, Part.ALL, minutes));
    }
    return records;
  }

  private double pagesASegment() throws SQLException {
    return Double.parseDouble(
        sql.text(
            """
            select avg(pages) from (
              select count(distinct (ctid::text::point)[0]) as pages
              from ts where rra_bundle_id = (select id from rra_bundle where step_ms = 10000)
              group by seg) as segment
            """));
  }
}
