package dev.rondo.connect.postgres.writing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.connect.postgres.harness.TaskTest;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.SeriesEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A location that passes from one series to the next, as {@code rondo.series} reports it:
 *
 * <pre>
 *   a at 1, from 5 s     a retired    b at 1, from 25 s     a at 2, from 45 s
 *   position 1   10: 1    20: 2    30: 3    40: 4    50: 5    60: 6      seconds, values
 *                |──── a ────|     |────────────── b ─────────────|
 *   position 2                                       50: 7    60: 8
 *                                                    |──── a ────|
 * </pre>
 */
class RetirementIT extends TaskTest {
  private static final String LOCATIONS =
      "select ident ->> 'name', pos, extract(epoch from starts_at)::int from ds order by 1";
  private static final String SHOWN =
      "select ident ->> 'name', string_agg(extract(epoch from t)::int || ':' || r, ' ' order by t) "
          + "from ds join tv on tv.ds_id = ds.id where r is not null group by 1 order by 1";

  /** In the order of the topic. */
  private static List<SinkRecord> story() {
    return List.of(
        series("a", 1, 5_000),
        Records.retirement("a"),
        series("b", 1, 25_000),
        series("a", 2, 45_000));
  }

  private static List<SinkRecord> rows() {
    return List.of(row(10, 1), row(20, 2), row(30, 3), row(40, 4), row(50, 5, 7), row(60, 6, 8));
  }

  /** {@code records}: of the story in each put; 4 = all of it in one. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void shouldShowEachOwnersValuesOnly(int records) {
    task.put(rows());
    put(story(), records);
    shouldShowEachOwnersValues();
  }

  @Test
  void shouldShowTheOwnersValuesAtEachStepOfTheStory() {
    task.put(rows().subList(0, 2));
    task.put(story().subList(0, 1));
    shouldShow("a|10:1 20:2");

    task.put(story().subList(1, 2));
    shouldShow();

    task.put(story().subList(2, 3));
    shouldShow();
    task.put(rows().subList(2, 4));
    shouldShow("b|30:3 40:4");

    task.put(story().subList(3, 4));
    task.put(rows().subList(4, 6));
    shouldShowEachOwnersValues();
  }

  /** Delivered again from any record on, in puts of any size, as after a crash of the worker. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void shouldBeTheSameWhenDeliveredAgain(int records) {
    task.put(rows());
    for (int from = 0; from < story().size(); from++) {
      database.execute("delete from ds");
      put(story(), 4);
      put(story().subList(from, story().size()), records);
      shouldShowEachOwnersValues();
      put(story(), records);
      shouldShowEachOwnersValues();
    }
  }

  @Test
  void shouldTakeTombstoneAndNextOwnerInOnePut() {
    task.put(rows());
    task.put(story().subList(0, 1));
    for (int delivery = 0; delivery < 2; delivery++) {
      task.put(story().subList(1, 3));
      assertThat(database.query(LOCATIONS)).containsExactly("b|1|25");
      shouldShow("b|30:3 40:4 50:5 60:6");
    }
    task.put(story().subList(0, 3));
    shouldShow("b|30:3 40:4 50:5 60:6");
  }

  /** A replay has found points that are older than the series was. */
  @Test
  void shouldTakeEarlierStartsAtOfSameSeriesAtSameLocation() {
    task.put(rows());
    task.put(List.of(series("b", 1, 25_000)));
    task.put(List.of(series("b", 1, 15_000)));
    assertThat(database.query(LOCATIONS)).containsExactly("b|1|15");
    shouldShow("b|20:2 30:3 40:4 50:5 60:6");

    task.put(List.of(series("b", 1, 25_000), series("b", 1, 5_000)));
    assertThat(database.query(LOCATIONS)).as("in one put").containsExactly("b|1|5");
    List<String> before = database.query("select id from ds");
    task.put(List.of(series("b", 1, 25_000), series("b", 1, 15_000), series("b", 1, 5_000)));
    assertThat(database.query(LOCATIONS)).as("all of them again").containsExactly("b|1|5");
    assertThat(database.query("select id from ds")).isEqualTo(before);
  }

  /** A second owner whose starts_at was moved to before that of the first keeps its values. */
  @Test
  void shouldKeepEarlierStartsAtOfNextOwnerWhenDeliveredAgain() {
    List<SinkRecord> records = new ArrayList<>(story().subList(0, 3));
    records.add(series("b", 1, 3_000));
    put(records, 4);
    for (int size = 1; size <= 4; size++) {
      put(records, size);
      assertThat(database.query(LOCATIONS)).containsExactly("b|1|3");
    }
  }

  private void shouldShowEachOwnersValues() {
    assertThat(database.query(LOCATIONS)).containsExactly("a|2|45", "b|1|25");
    shouldShow("a|50:7 60:8", "b|30:3 40:4 50:5 60:6");
  }

  private void shouldShow(String... values) {
    assertThat(database.query(SHOWN)).containsExactly(values);
  }

  private void put(List<SinkRecord> records, int size) {
    for (int from = 0; from < records.size(); from += size) {
      task.put(records.subList(from, Math.min(from + size, records.size())));
    }
  }

  private static SinkRecord series(String ident, int pos, long startsAtMs) {
    return Records.series(new SeriesEntry(ident, "p", 65536, pos, startsAtMs, "", "", 0L));
  }

  private static SinkRecord row(int endS, double... dp) {
    List<Double> values = Arrays.stream(dp).boxed().toList();
    return Records.row(
        new BundleRow(
            "p",
            "wmean",
            10_000L,
            1000,
            200,
            0.5,
            false,
            "wmean",
            65536,
            endS / 10,
            endS * 1000L,
            values));
  }
}
