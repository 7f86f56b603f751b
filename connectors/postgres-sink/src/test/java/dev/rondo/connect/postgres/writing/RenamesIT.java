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
 * A series that is renamed leaves its history to the other one:
 *
 * <pre>
 *   position 1   10: 1   20: 2   30: 3                            seconds, values
 *                |──── old ─────|
 *   position 2                   30: 7   40: 8   50: 9
 *                              |──────── new ────────
 *                              ▲ 25 s
 * </pre>
 */
class RenamesIT extends TaskTest {
  private static final String PERIODS =
      "select ident ->> 'name', l.pos, extract(epoch from l.starts_at)::float4, "
          + "extract(epoch from l.ends_at)::float4, extract(epoch from l.reassigned_at)::float4, "
          + "coalesce(l.renamed_from ->> 'name', '') "
          + "from ds join location_period l on ds_id = ds.id order by 1, number";
  private static final String SHOWN =
      "select ident ->> 'name', string_agg(extract(epoch from t)::int || ':' || r, ' ' order by t) "
          + "from ds join tv on tv.ds_id = ds.id where r is not null group by 1 order by 1";

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldShowOneGraphWhicheverEntryIsFirst(boolean renamedFirst) {
    task.put(List.of(series("old", 1, 0), row(10, 1), row(20, 2), row(30, 3)));
    List<SinkRecord> entries = List.of(renamed("old", 1, 0, "new", 90), series("new", 2, 25));
    for (SinkRecord entry : renamedFirst ? entries : List.of(entries.get(1), entries.get(0))) {
      task.put(List.of(entry));
    }
    task.put(List.of(row(30, 0, 7), row(40, 0, 8), row(50, 0, 9)));
    shouldPeriod("new|1|0|25|Infinity|old", "new|2|25|Infinity|Infinity|");
    shouldShow("new|10:1 20:2 30:7 40:8 50:9");
    assertThat(found()).containsExactly("new");
  }

  /** It is found where the old one was, until its first point. */
  @Test
  void shouldFindASeriesThatHasNotSentYet() {
    task.put(List.of(series("a.old", 1, 0), row(10, 1)));
    List<String> ids = database.query("select id from ds");
    task.put(List.of(renamed("a.old", 1, 0, "b.new", 15)));
    assertThat(database.query("select id from ds")).as("0023").doesNotContainAnyElementsOf(ids);
    shouldPeriod("b.new|1|0|Infinity|Infinity|a.old");
    shouldShow("b.new|10:1");
    assertThat(database.query("select node from branch")).containsExactly("b");
    task.put(List.of(series("b.new", 2, 40), row(50, 0, 5)));
    shouldPeriod("b.new|1|0|40|Infinity|a.old", "b.new|2|40|Infinity|Infinity|");
    shouldShow("b.new|10:1 50:5");
  }

  @Test
  void shouldKeepTheHistoryUntilTheSeriesSends() {
    task.put(List.of(series("old", 1, 0), row(10, 1), renamed("old", 1, 0, "new", 15)));
    task.put(List.of(series("x", 1, 30)));
    assertThat(found()).containsExactly("x");
    task.put(List.of(series("new", 2, 40), row(50, 0, 5)));
    shouldPeriod("new|1|0|40|30|old", "new|2|40|Infinity|Infinity|", "x|1|30|Infinity|Infinity|");
    assertThat(database.query(SHOWN)).contains("new|10:1 50:5");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldGoOnAtTheSamePosition(boolean renamedFirst) {
    task.put(List.of(series("old", 1, 0), row(10, 1), row(20, 2)));
    List<SinkRecord> entries = List.of(renamed("old", 1, 0, "new", 20), series("new", 1, 25));
    for (SinkRecord entry : renamedFirst ? entries : List.of(entries.get(1), entries.get(0))) {
      task.put(List.of(entry));
    }
    task.put(List.of(row(30, 3), row(40, 4), series("new", 2, 45), row(60, 0, 5)));
    shouldPeriod("new|1|0|25|25|old", "new|1|25|45|Infinity|", "new|2|45|Infinity|Infinity|");
    shouldShow("new|10:1 20:2 30:3 40:4 60:5");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldFollowAChain(boolean laterFirst) {
    task.put(List.of(series("a", 1, 0), series("b", 2, 15), series("c", 3, 35)));
    task.put(List.of(row(10, 1), row(30, 0, 2), row(40, 0, 0, 3)));
    List<SinkRecord> entries = List.of(renamed("a", 1, 0, "b", 50), renamed("b", 2, 15, "c", 60));
    for (SinkRecord entry : laterFirst ? List.of(entries.get(1), entries.get(0)) : entries) {
      task.put(List.of(entry));
    }
    shouldPeriod("c|1|0|15|Infinity|a", "c|2|15|35|Infinity|b", "c|3|35|Infinity|Infinity|");
    shouldShow("c|10:1 30:2 40:3");
  }

  @Test
  void shouldTakeAllPeriods() {
    task.put(List.of(series("old", 1, 0), series("old", 2, 15), series("new", 3, 25)));
    task.put(List.of(row(10, 1), row(20, 0, 2), row(30, 0, 0, 3)));
    task.put(List.of(renamed("old", 2, 15, "new", 90)));
    task.put(List.of(series("new", 4, 35), row(40, 0, 0, 0, 4)));
    shouldPeriod(
        "new|1|0|15|Infinity|old",
        "new|2|15|25|Infinity|old",
        "new|3|25|35|Infinity|",
        "new|4|35|Infinity|Infinity|");
    shouldShow("new|10:1 20:2 30:3 40:4");
  }

  /** A reader that knows the series compares how often it has moved. */
  @Test
  void shouldCountAsAMove() {
    task.put(List.of(series("old", 1, 0), series("new", 2, 25)));
    List<String> before =
        database.query("select id, period from ds where ident ->> 'name' = 'new'");
    task.put(List.of(renamed("old", 1, 0, "new", 90)));
    assertThat(database.query("select id, period - 1 from ds")).isEqualTo(before);
    assertThat(
            database.query(
                "select max(number) = max(period) from ds join location_period on id = ds_id"))
        .containsExactly("t");
  }

  @Test
  void shouldLetASeriesOfTheOldNameBeginAnew() {
    task.put(List.of(series("old", 1, 0), renamed("old", 1, 0, "new", 20), series("old", 1, 25)));
    task.put(List.of(series("new", 2, 15), row(10, 1), row(30, 5)));
    shouldPeriod("new|1|0|15|25|old", "new|2|15|Infinity|Infinity|", "old|1|25|Infinity|Infinity|");
    shouldShow("new|10:1", "old|30:5");
  }

  @Test
  void shouldForgetTheHistoryWithTheSeriesThatHasIt() {
    task.put(List.of(series("old", 1, 0), series("new", 2, 25), renamed("old", 1, 0, "new", 90)));
    task.put(List.of(Records.retirement("new")));
    assertThat(database.query("select * from location_period")).isEmpty();
  }

  @Test
  void shouldKeepTheHistoryOfADisplacedSeries() {
    task.put(List.of(series("old", 1, 0), series("new", 2, 25), renamed("old", 1, 0, "new", 90)));
    task.put(List.of(series("x", 2, 50), series("new", 3, 45)));
    shouldPeriod(
        "new|1|0|25|Infinity|old",
        "new|2|25|45|50|",
        "new|3|45|Infinity|Infinity|",
        "x|2|50|Infinity|Infinity|");
  }

  /** At a position of the old one it counts as another series, also if it was displaced before. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldTakeTheFormerPositionOfTheOldOne(boolean displacedFirst) {
    task.put(List.of(series("old", 1, 0), renamed("old", 1, 0, "new", 15), series("new", 2, 25)));
    List<SinkRecord> entries = List.of(series("new", 1, 40), series("x", 2, 35));
    for (SinkRecord entry : displacedFirst ? List.of(entries.get(1), entries.get(0)) : entries) {
      task.put(List.of(entry));
    }
    shouldPeriod(
        "new|1|0|25|40|old",
        "new|2|25|40|35|",
        "new|1|40|Infinity|Infinity|",
        "x|2|35|Infinity|Infinity|");
  }

  /** As when the topic is read again from a later record than the first one. */
  @Test
  void shouldIgnoreASeriesThatItDoesNotKnow() {
    task.put(List.of(series("new", 2, 25), renamed("old", 1, 0, "new", 90)));
    shouldPeriod("new|2|25|Infinity|Infinity|");
  }

  @Test
  void shouldKeepSixteenPeriods() {
    var entries = new ArrayList<SinkRecord>();
    for (int n = 0; n < 30; n++) {
      entries.add(series("old", n + 1, n));
    }
    entries.addAll(List.of(series("new", 40, 90), renamed("old", 30, 29, "new", 91)));
    task.put(entries);
    assertThat(database.query("select count(*), min(starts_at) from location_period"))
        .containsExactly("16|1970-01-01 00:00:15+00");
  }

  private List<String> found() {
    return database.query("select ident ->> 'name' from ds order by 1");
  }

  private void shouldPeriod(String... periods) {
    assertThat(database.query(PERIODS)).containsExactly(periods);
  }

  private void shouldShow(String... values) {
    assertThat(database.query(SHOWN)).containsExactly(values);
  }

  private static SinkRecord series(String ident, int pos, int startsAtS) {
    return Records.series(new SeriesEntry(ident, "p", 65536, pos, startsAtS * 1000L, "", "", 0L));
  }

  private static SinkRecord renamed(String ident, int pos, int startsAtS, String to, int atS) {
    return Records.series(
        new SeriesEntry(ident, "p", 65536, pos, startsAtS * 1000L, "", to, atS * 1000L));
  }

  /** Zeros are unknown. */
  private static SinkRecord row(int endS, double... dp) {
    List<Double> values = Arrays.stream(dp).mapToObj(v -> v == 0 ? Double.NaN : v).toList();
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
