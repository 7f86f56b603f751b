package dev.rondo.bench.postgres.rows;

import dev.rondo.bench.Progress;
import dev.rondo.bench.postgres.server.Server;
import dev.rondo.bench.postgres.server.Sql;
import java.sql.SQLException;

/**
 * Full archives, written by the sink slot by slot over several rounds, and the series of all
 * positions.
 *
 * @param minutes 1m:7d
 * @param seconds 10s:6h
 */
public record Filled(Archive minutes, Archive seconds) {
  private static final int SLOTS_OF_SECONDS = 2160;
  private static final int SLOTS_OF_SIX_HOURS = 360;

  /**
   * Fills both archives.
   *
   * @param slots of the one-minute archive, 10080 in production; the other has at most as many
   * @param rounds how many times it wraps around
   */
  public static Filled fill(
      Server server, Sql sql, int segments, int slots, int rounds, Progress progress)
      throws SQLException {
    var filled =
        new Filled(
            new Archive("bench", 60_000, slots, segments, Archive.WIDTH),
            new Archive(
                "bench", 10_000, Math.min(slots, SLOTS_OF_SECONDS), segments, Archive.WIDTH));
    server.resetTables(sql);
    filled.enterSeries(sql);
    var filling = new Filling(server, sql, progress);
    filling.rounds(filled.seconds(), rounds);
    filling.rounds(filled.minutes(), rounds);
    sql.execute("vacuum (analyze) ts, rra_bundle"); // as autovacuum has long done in production
    sql.execute("checkpoint");
    return filled;
  }

  /** Id of a series of a segment, by any number. */
  public long series(int seg, int n) {
    return (long) seg * minutes.width() + n % minutes.width() + 1;
  }

  /** Name of that series. */
  public String name(int seg, int n) {
    return "hosts.h%d.load".formatted(series(seg, n));
  }

  /** Condition on {@code i}: the newest six hours of the one-minute archive. */
  public String newestSixHours() {
    return "i between %d and %d".formatted(minutes.size() - SLOTS_OF_SIX_HOURS, minutes.size() - 1);
  }

  /** Mean number of pages with those rows of a segment. */
  public double pagesOfSixHours(Sql sql) throws SQLException {
    return Double.parseDouble(
        sql.text(
            """
            select avg(pages) from (
              select count(distinct (ctid::text::point)[0]) as pages
              from ts
              where rra_bundle_id = (select id from rra_bundle where step_ms = 60000) and %s
              group by seg) as segment
            """
                .formatted(newestSixHours())));
  }

  private void enterSeries(Sql sql) throws SQLException {
    sql.execute(
        """
        insert into ds (ident, policy, seg, pos, starts_at)
        select jsonb_build_object('name', 'hosts.h' || n + 1 || '.load', 'dc', 'ams'), 'bench',
               n / %1$d, n %% %1$d + 1, to_timestamp(n)
        from generate_series(0, %2$d - 1) as n
        """
            .formatted(minutes.width(), minutes.width() * minutes.segments()));
    sql.execute("vacuum (analyze) ds, location_period");
  }
}
