package dev.rondo.connect.postgres.writing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.connect.postgres.changes.Ident;
import dev.rondo.connect.postgres.changes.Series;
import dev.rondo.connect.postgres.harness.GenericSink;
import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.connect.postgres.harness.TaskTest;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.SeriesEntry;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A series that moves to other locations keeps its history:
 *
 * <pre>
 *   policy p   10: 1   20: 2   30: 3                            seconds, values
 *              |─────── s ───────|
 *   policy q                   30: 7   40: 8   50: 9
 *                            ▲ 25 s
 * </pre>
 */
class MovesIT extends TaskTest {
  private static final String PERIODS =
      "select ident ->> 'name', l.policy, l.pos, extract(epoch from l.starts_at)::float4, "
          + "extract(epoch from l.ends_at)::float4, extract(epoch from l.reassigned_at)::float4 "
          + "from ds join location_period l on ds_id = ds.id order by 1, number";
  private static final String SHOWN =
      "select ident ->> 'name', string_agg(extract(epoch from t)::int || ':' || r, ' ' order by t) "
          + "from ds join tv on tv.ds_id = ds.id where r is not null group by 1 order by 1";

  @Test
  void shouldShowOneGraphOverARenamedPolicy() {
    task.put(List.of(series("s", "p", 1, 0), row("p", 10, 1), row("p", 20, 2), row("p", 30, 3)));
    task.put(List.of(series("s", "q", 1, 25), row("q", 40, 8), row("q", 50, 9)));
    shouldPeriod("s|p|1|0|25|Infinity", "s|q|1|25|Infinity|Infinity");
    shouldShow("s|10:1 20:2 30:3 40:8 50:9");

    task.put(List.of(row("q", 30, 7))); // the newer location wins
    shouldShow("s|10:1 20:2 30:7 40:8 50:9");
  }

  @Test
  void shouldKeepIdWhenSeriesMoves() {
    task.put(List.of(series("s", "p", 1, 0)));
    List<String> before = database.query("select id from ds");
    task.put(List.of(series("s", "q", 1, 25)));
    assertThat(database.query("select id from ds")).isEqualTo(before);
  }

  @Test
  void shouldRecordAllMovesAlsoBackInOnePut() {
    task.put(
        List.of(
            series("s", "p", 1, 0),
            series("s", "q", 1, 25),
            series("s", "p", 1, 45),
            row("p", 10, 1),
            row("q", 40, 2),
            row("p", 60, 3)));
    shouldPeriod("s|p|1|0|25|Infinity", "s|q|1|25|45|Infinity", "s|p|1|45|Infinity|Infinity");
    shouldShow("s|10:1 40:2 60:3");
  }

  @Test
  void shouldKeepHistoryFromTheSeriesThatTakesThePosition() {
    task.put(List.of(series("s", "p", 1, 0), row("p", 10, 1), row("p", 20, 2)));
    task.put(List.of(series("s", "q", 1, 25), row("q", 40, 3)));
    task.put(List.of(series("x", "p", 1, 28), row("p", 30, 8), row("p", 40, 9)));
    shouldPeriod("s|p|1|0|25|28", "s|q|1|25|Infinity|Infinity", "x|p|1|28|Infinity|Infinity");
    shouldShow("s|10:1 20:2 40:3", "x|30:8 40:9");

    task.put(List.of(Records.retirement("x")));
    shouldShow("s|10:1 20:2 40:3");
    task.put(List.of(series("s", "p", 1, 45), row("p", 50, 4)));
    shouldShow("s|10:1 20:2 40:3 50:4");
  }

  /** The entries of two series may be in different partitions. */
  @Test
  void shouldKeepHistoryWhenThePositionIsTakenBeforeTheSeriesIsSeenToMove() {
    task.put(List.of(series("s", "o", 1, 0), series("s", "p", 1, 5)));
    task.put(List.of(row("o", 10, 7), row("p", 10, 1), row("p", 20, 2)));
    task.put(List.of(series("x", "p", 1, 28), row("p", 30, 8)));
    shouldShow("x|30:8");
    task.put(List.of(series("s", "q", 1, 25), row("q", 40, 3)));
    shouldPeriod(
        "s|o|1|0|5|Infinity",
        "s|p|1|5|25|28",
        "s|q|1|25|Infinity|Infinity",
        "x|p|1|28|Infinity|Infinity");
    shouldShow("s|10:1 20:2 40:3", "x|30:8");
    task.put(List.of(series("s", "q", 2, 45)));
    shouldShow("s|10:1 20:2 40:3", "x|30:8");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldKeepHistoryOfSeriesThatSwapPositions(boolean firstMovesFirst) {
    task.put(List.of(series("s", "p", 1, 0), series("t", "q", 1, 0), row("p", 10, 1)));
    task.put(List.of(row("q", 10, 2)));
    List<SinkRecord> moves = List.of(series("s", "q", 1, 21), series("t", "p", 1, 22));
    task.put(firstMovesFirst ? moves : List.of(moves.get(1), moves.get(0)));
    task.put(List.of(row("p", 30, 3), row("q", 30, 4)));
    shouldPeriod(
        "s|p|1|0|21|22",
        "s|q|1|21|Infinity|Infinity",
        "t|q|1|0|22|21",
        "t|p|1|22|Infinity|Infinity");
    shouldShow("s|10:1 30:4", "t|10:2 30:3");
  }

  @Test
  void shouldRetireDisplacedSeriesWithItsHistory() {
    task.put(List.of(series("s", "p", 1, 0), series("x", "p", 1, 28)));
    task.put(List.of(Records.retirement("s"), series("s", "q", 1, 45)));
    shouldPeriod("s|q|1|45|Infinity|Infinity", "x|p|1|28|Infinity|Infinity");
  }

  @Test
  void shouldBeginEarlierAfterAReplay() {
    task.put(List.of(series("s", "p", 1, 0), row("p", 10, 1), row("p", 20, 2)));
    task.put(List.of(series("s", "q", 1, 25), row("q", 30, 3)));
    task.put(List.of(series("s", "q", 1, 15), row("q", 20, 7)));
    shouldPeriod("s|p|1|0|25|Infinity", "s|q|1|15|Infinity|Infinity");
    task.put(List.of(series("x", "q", 9, 15), series("s", "q", 1, 12)));
    shouldPeriod("s|p|1|0|25|Infinity", "s|q|1|12|Infinity|Infinity", "x|q|9|15|Infinity|Infinity");
  }

  @Test
  void shouldForgetStaysThatWouldBeginAfterTheNextOne() {
    task.put(List.of(series("s", "p", 1, 0), series("s", "q", 1, 25), series("s", "p", 2, 20)));
    shouldPeriod("s|p|1|0|20|Infinity", "s|p|2|20|Infinity|Infinity");
  }

  @Test
  void shouldRetireSeriesWithItsHistory() {
    task.put(List.of(series("s", "p", 1, 0), series("s", "q", 1, 25), Records.retirement("s")));
    assertThat(database.query("select * from location_period")).isEmpty();
    task.put(List.of(series("s", "p", 1, 40)));
    shouldPeriod("s|p|1|40|Infinity|Infinity");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void shouldHaveTheSameHistoryWhenRewound(int size) {
    List<SinkRecord> story =
        List.of(
            series("s", "p", 1, 0),
            series("s", "q", 1, 25),
            series("x", "p", 1, 26),
            series("t", "p", 2, 30),
            series("s", "q", 1, 22),
            series("t", "q", 2, 40),
            series("s", "p", 3, 50),
            series("s", "q", 1, 70),
            series("t", "q", 3, 75));
    task.put(story);
    List<String> periods = database.query(PERIODS);
    for (int from = 0; from < story.size(); from++) {
      List<SinkRecord> again = story.subList(from, story.size());
      for (int first = 0; first < again.size(); first += size) {
        task.put(again.subList(first, Math.min(first + size, again.size())));
      }
      assertThat(database.query(PERIODS)).as("from record " + from).isEqualTo(periods);
    }
  }

  @Test
  void shouldBoundHistoryOfSeriesThatTwoTasksEmit() {
    for (int n = 0; n < 100; n++) {
      task.put(List.of(series("s", "p", 1, 2 * n), series("s", "p", 2, 2 * n + 1)));
    }
    assertThat(database.query("select count(*), max(starts_at) from location_period"))
        .containsExactly("16|1970-01-01 00:03:19+00");
    for (int n = 0; n < 100; n++) {
      task.put(List.of(series("s", "p", 1, 300), series("s", "p", 2, 301)));
    }
    assertThat(
            database.query(
                "select count(*) from location_period where starts_at > to_timestamp(299)"))
        .containsExactly("2");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldKeepHistoryOfOtherSinks(boolean reWriteBatchedInserts) throws SQLException {
    try (var sink =
        new GenericSink(database, GenericSink.Dialect.CONFLUENT, reWriteBatchedInserts)) {
      sink.write(List.of(change("s", "p", 1, 0)));
      sink.write(List.of(change("s", "q", 1, 25)));
      sink.write(List.of(change("x", "p", 1, 28)));
    }
    shouldPeriod("s|p|1|0|25|28", "s|q|1|25|Infinity|Infinity", "x|p|1|28|Infinity|Infinity");
  }

  private void shouldPeriod(String... periods) {
    assertThat(database.query(PERIODS)).containsExactly(periods);
  }

  private void shouldShow(String... values) {
    assertThat(database.query(SHOWN)).containsExactly(values);
  }

  private static Series change(String ident, String policy, int pos, int startsAtS) {
    return new Series(
        Ident.parse(ident), new Series.Location(policy, 65536, pos), startsAtS * 1000L, "");
  }

  private static SinkRecord series(String ident, String policy, int pos, int startsAtS) {
    return Records.series(
        new SeriesEntry(ident, policy, 65536, pos, startsAtS * 1000L, "", "", 0L));
  }

  private static SinkRecord row(String policy, int endS, double... dp) {
    List<Double> values = Arrays.stream(dp).boxed().toList();
    return Records.row(
        new BundleRow(
            policy,
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
