package dev.rondo.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ArchiveViewIT {
  @RegisterExtension static final ArchiveDatabase DATABASE = ArchiveDatabase.empty();

  private static final long END_MS = 1_700_000_000_000L;
  private static final long STEP_MS = 10_000L;

  /** The query of the design, with the name filled in. */
  private static final String NEWEST_FIVE =
      "select t, r from ds join tv on tv.ds_id = ds.id where ident @> '{\"name\":\"cpu.user\"}'"
          + " and tv.step_ms = 10000 order by t desc limit 5;";

  @Test
  void shouldAnswerTheQueryOfTheDesign() {
    int bundle = DATABASE.addBundle("default", STEP_MS, 2160);
    int coarse = DATABASE.addBundle("default", 60_000, 10_080);
    DATABASE.addSeries("cpu.user", "default", 65536, 2, 0);
    DATABASE.addSeries("cpu.idle", "default", 65536, 1, 0);
    for (int k = 0; k < 7; k++) {
      DATABASE.addRow(bundle, 65536, END_MS + k * STEP_MS, 99.0, (double) k);
    }
    DATABASE.addRow(coarse, 65536, 1_700_000_040_000L, 99.0, 77.0);

    assertThat(DATABASE.query(NEWEST_FIVE))
        .containsExactly(
            point(END_MS + 60_000, 6.0),
            point(END_MS + 50_000, 5.0),
            point(END_MS + 40_000, 4.0),
            point(END_MS + 30_000, 3.0),
            point(END_MS + 20_000, 2.0));
  }

  /** The rows and the query of docs/data-model.md. */
  @Test
  void shouldAnswerLikeTheWorkedExample() {
    int fine = DATABASE.addBundle("default", STEP_MS, 2160);
    int coarse = DATABASE.addBundle("default", 30_000, 20_160);
    DATABASE.execute(
        "insert into ds (ident, policy, seg, pos, starts_at) values"
            + " ('{\"name\":\"load\",\"host\":\"web01\"}', 'default', 1 << 16 | 0, 3,"
            + " '2023-11-14 22:13:00+00')");
    DATABASE.addRow(fine, 65536, 1_699_999_990_000L, 0.2, Double.NaN, 5.0);
    DATABASE.addRow(fine, 65536, 1_700_000_000_000L, 0.2, Double.NaN, 5.0);
    DATABASE.addRow(fine, 65536, 1_700_000_010_000L, 0.3, Double.NaN, 7.5);
    DATABASE.addRow(coarse, 65536, 1_700_000_010_000L, 0.2333, Double.NaN, 5.833333333333333);

    assertThat(DATABASE.query("select rra_bundle_id, i from ts order by 1, 2"))
        .containsExactly(
            List.of(fine, 1519), List.of(fine, 1520), List.of(fine, 1521), List.of(coarse, 17067));
    String newestFive =
        "select t, r from ds join tv on tv.ds_id = ds.id"
            + " where ident @> '{\"name\":\"load\",\"host\":\"web01\"}'"
            + " and tv.step_ms = %d order by t desc limit 5;";
    assertThat(DATABASE.query(newestFive.formatted(10_000)))
        .containsExactly(
            List.of(Timestamp.from(Instant.parse("2023-11-14T22:13:30Z")), 7.5),
            List.of(Timestamp.from(Instant.parse("2023-11-14T22:13:20Z")), 5.0),
            List.of(Timestamp.from(Instant.parse("2023-11-14T22:13:10Z")), 5.0));
    assertThat(DATABASE.query(newestFive.formatted(30_000)))
        .containsExactly(
            List.of(Timestamp.from(Instant.parse("2023-11-14T22:13:30Z")), 5.833333333333333));
  }

  @Test
  void shouldShowNaNAndPositionsPastTheEndAsNull() {
    int bundle = DATABASE.addBundle("default", STEP_MS, 2160);
    DATABASE.addSeries("known", "default", 0, 1, 0);
    DATABASE.addSeries("unknown", "default", 0, 2, 0);
    DATABASE.addSeries("past the end", "default", 0, 3, 0);
    DATABASE.addRow(bundle, 0, END_MS, 0.0, Double.NaN);

    assertThat(
            DATABASE.query(
                "select ident ->> 'name', r from ds join tv on tv.ds_id = ds.id order by pos"))
        .extracting(List::toString)
        .containsExactly("[known, 0.0]", "[unknown, null]", "[past the end, null]");
  }

  @Test
  void shouldHideSlotsThatEndAtOrBeforeTheStartOfTheSeries() {
    int bundle = DATABASE.addBundle("default", STEP_MS, 2160);
    DATABASE.addSeries("second owner", "default", 0, 1, END_MS);
    DATABASE.addRow(bundle, 0, END_MS - STEP_MS, 1.0);
    DATABASE.addRow(bundle, 0, END_MS, 2.0);
    DATABASE.addRow(bundle, 0, END_MS + STEP_MS, 3.0);

    assertThat(DATABASE.query("select r from tv order by t"))
        .extracting(List::toString)
        .containsExactly("[null]", "[null]", "[3.0]");
  }

  @Test
  void shouldHidePreallocatedRowsForAnyStart() {
    int bundle = DATABASE.addBundle("default", STEP_MS, 2160);
    DATABASE.addSeries("cpu.user", "default", 0, 1, 0);
    DATABASE.addSeries("cpu.idle", "default", 0, 2, 0);
    DATABASE.execute("update ds set starts_at = '-infinity' where pos = 2");
    DATABASE.addRow(bundle, 0, END_MS, 1.0, 2.0);
    DATABASE.execute(
        "insert into ts select ?, 0, i, '-infinity', '{NaN,NaN}' from generate_series(0, 27) as i",
        bundle);

    assertThat(DATABASE.query("select r from tv order by r"))
        .containsExactly(List.of(1.0), List.of(2.0));
  }

  @Test
  void shouldKeepPoliciesAndSegmentsApart() {
    int bundle = DATABASE.addBundle("default", STEP_MS, 2160);
    int other = DATABASE.addBundle("other", STEP_MS, 2160);
    DATABASE.addSeries("cpu.user", "default", 7, 1, 0);
    DATABASE.addRow(bundle, 7, END_MS, 1.0);
    DATABASE.addRow(bundle, 8, END_MS, 2.0);
    DATABASE.addRow(other, 7, END_MS, 3.0);

    assertThat(DATABASE.query("select t, r from tv")).containsExactly(point(END_MS, 1.0));
  }

  @Test
  void shouldIdentifyArchivesOfASeriesAlikeInBothViews() {
    int fine = DATABASE.addBundle("default", STEP_MS, 2160);
    int coarse = DATABASE.addBundle("default", 60_000, 10_080);
    long series = DATABASE.addSeries("cpu.user", "default", 7, 3, 0);
    DATABASE.addRow(fine, 7, END_MS, 1.0);

    assertThat(DATABASE.query("select id, ds_id, rra_bundle_id, seg, pos from rra order by id"))
        .containsExactly(
            List.of(series << 16 | fine, series, fine, 7, 3),
            List.of(series << 16 | coarse, series, coarse, 7, 3));
    assertThat(DATABASE.query("select rra_id, ds_id, rra_bundle_id, step_ms, i from tv"))
        .containsExactly(List.of(series << 16 | fine, series, fine, STEP_MS, 1520));
  }

  private static List<Object> point(long endMs, double value) {
    return List.of(Timestamp.from(Instant.ofEpochMilli(endMs)), value);
  }
}
