package dev.rondo.bench.postgres;

import dev.rondo.bench.postgres.rows.Filled;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Queries on the archives, as a user of psql would write them. */
enum Query {
  SIX_HOURS("one series, 6 h") {
    @Override
    String sql(Filled filled, int seg, int run) {
      return "select t, r from tv where ds_id = %d and step_ms = %d and %s"
          .formatted(filled.series(seg, run), filled.minutes().stepMs(), filled.newestSixHours());
    }
  },
  SEVEN_DAYS("one series, 7 d") {
    @Override
    String sql(Filled filled, int seg, int run) {
      return "select t, r from tv where ds_id = %d and step_ms = %d"
          .formatted(filled.series(seg, run), filled.minutes().stepMs());
    }
  },
  FIFTY_SERIES("50 series of a segment, 6 h") {
    @Override
    String sql(Filled filled, int seg, int run) {
      return "select ds_id, t, r from tv where ds_id = any('{%s}') and step_ms = %d and %s"
          .formatted(fifty(filled, seg, run), filled.minutes().stepMs(), filled.newestSixHours());
    }
  },
  /** The planner cannot read other segments as well. */
  FIFTY_ONE_BY_ONE("the same, one by one") {
    @Override
    String sql(Filled filled, int seg, int run) {
      return """
          select wanted.id, t, r from unnest('{%s}'::bigint[]) as wanted (id) cross join lateral (
            select t, r from tv where ds_id = wanted.id and step_ms = %d and %s offset 0) as slot"""
          .formatted(fifty(filled, seg, run), filled.minutes().stepMs(), filled.newestSixHours());
    }
  },
  /** The view's join plus the segment number, which the planner cannot derive. */
  FIFTY_FROM_TABLES("the same, from the tables") {
    @Override
    String sql(Filled filled, int seg, int run) {
      return """
          select ds.id, ts.t, nullif(ts.dp[ds.pos], 'NaN') as r
          from ts join ds on ds.policy = 'bench' and ds.seg = ts.seg and ts.t > ds.starts_at
          where ts.rra_bundle_id = (select id from rra_bundle where step_ms = %d)
            and ts.seg = %d and ts.%s and ds.id = any('{%s}')"""
          .formatted(
              filled.minutes().stepMs(), seg, filled.newestSixHours(), fifty(filled, seg, run));
    }
  },
  NEWEST_FIVE("newest 5 by ident, 10 s") {
    @Override
    String sql(Filled filled, int seg, int run) {
      return """
          select t, r from ds join tv on tv.ds_id = ds.id
          where ident @> '{"name":"%s"}' and tv.step_ms = 10000 order by t desc limit 5;"""
          .formatted(filled.name(seg, run));
    }
  };

  private final String title;

  Query(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** The text of a run; {@code run} varies the series. */
  abstract String sql(Filled filled, int seg, int run);

  private static String fifty(Filled filled, int seg, int run) {
    return IntStream.range(run, run + 50)
        .mapToObj(n -> Long.toString(filled.series(seg, n)))
        .collect(Collectors.joining(","));
  }
}
