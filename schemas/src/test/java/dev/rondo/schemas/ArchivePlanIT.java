package dev.rondo.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The planner reads only the rows that a query needs. */
class ArchivePlanIT {
  @RegisterExtension static final ArchiveDatabase DATABASE = ArchiveDatabase.kept();

  private static final int SEGMENTS = 50;
  private static final int SIZE = 1000;
  private static final String RANGE_OF_ONE_SERIES =
      "select t, r from tv where ds_id = 4242 and rra_bundle_id = 1 and i between 100 and 199";

  private static String planBeforeAnalyse;

  /** Two bundles full of 50 segments of 200 series; the rows of the second become full. */
  @BeforeAll
  static void fill() {
    DATABASE.addBundle("default", 10_000, SIZE);
    DATABASE.addBundle("default", 60_000, SIZE);
    DATABASE.execute(
        """
        insert into ds (ident, policy, seg, pos, starts_at)
        select jsonb_build_object('name', 'hosts.h' || n, 'dc', 'ams'), 'default',
               n / 200, n % 200 + 1, to_timestamp(0)
        from generate_series(0, ? * 200 - 1) as n
        """,
        SEGMENTS);
    DATABASE.execute(
        """
        insert into ts (rra_bundle_id, seg, i, t, dp)
        select id, seg, i, to_timestamp((i + 1000000) * step_ms / 1000.0), array[1.0, 2.0]
        from rra_bundle, generate_series(0, ? - 1) as seg, generate_series(0, ? - 1) as i
        """,
        SEGMENTS,
        SIZE);
    planBeforeAnalyse = DATABASE.plan(RANGE_OF_ONE_SERIES);
    DATABASE.execute(
        "update ts set dp = array_fill(1::float8, array[116]) where rra_bundle_id = 2");
    DATABASE.execute("analyze");
  }

  @Test
  void shouldReadRangeOfOneSeriesByThePrimaryKeyBeforeAnalyse() {
    assertReadsOnlyTheRange(planBeforeAnalyse);
  }

  @Test
  void shouldReadRangeOfOneSeriesByThePrimaryKeyAfterAnalyse() {
    assertThat(DATABASE.query(RANGE_OF_ONE_SERIES)).hasSize(100);
    assertReadsOnlyTheRange(DATABASE.plan(RANGE_OF_ONE_SERIES));
  }

  @Test
  void shouldReadRowsOfASegmentOnceForManySeries() {
    String fifty =
        IntStream.range(4201, 4251).mapToObj(Integer::toString).collect(Collectors.joining(","));

    assertThat(
            DATABASE.plan(
                "select ds_id, t, r from tv where step_ms = 60000 and i between 100 and 199"
                    + " and ds_id = any('{%s}')".formatted(fifty)))
        .contains("Memoize")
        .containsPattern("Index Cond: .*seg = .*i >= 100.*i <= 199");
  }

  @Test
  void shouldFindSeriesOfIdentByItsIndex() {
    assertThat(DATABASE.plan("select id from ds where ident @> '{\"name\":\"hosts.h4242\"}'"))
        .contains("ds_ident");
    assertThat(
            DATABASE.plan(
                "select id from ds where ident - 'name' = '{}' and ident ->> 'name' like 'hosts.h4242%'"))
        .contains("ds_name");
  }

  /**
   * An ident in the statistics of n entries is estimated to match one series in n. With n = 100, a
   * scan of a large ts seems cheaper than reading the archives of that many series.
   */
  @Test
  void shouldExpectFewSeriesOfAnIdentInTheStatistics() {
    Object name =
        DATABASE.value(
            """
            select ident ->> 'name' from (
              select unnest(histogram_bounds::text::text[])::jsonb as ident
              from pg_stats where schemaname = current_schema and tablename = 'ds' and attname = 'ident'
            ) as bound offset 1 limit 1""");

    assertThat(
            DATABASE.plan("select id from ds where ident @> '{\"name\":\"%s\"}'".formatted(name)))
        .containsPattern("^[^(]* on ds +\\(cost=[0-9.]* rows=(10|[1-9]) ");
  }

  private static void assertReadsOnlyTheRange(String plan) {
    assertThat(plan)
        .contains("ts_pkey")
        .containsPattern("Index Cond: .*rra_bundle_id = 1.*seg = .*i >= 100.*i <= 199")
        .doesNotContain("Seq Scan on ts");
  }
}
