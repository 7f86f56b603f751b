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

/** Series and their locations in PostgreSQL. */
class SeriesIT extends TaskTest {
  private static final String TABLE =
      "select ident ->> 'name', policy, seg, pos, extract(epoch from starts_at) * 1000 from ds "
          + "order by policy, seg, pos";

  @Test
  void shouldStoreIdentAsJson() {
    task.put(List.of(series("cpu;dc=ams;host=a\"b", 1, 5)));
    assertThat(database.query("select ident, policy, seg, pos, starts_at from ds"))
        .containsExactly(
            "{\"dc\": \"ams\", \"host\": \"a\\\"b\", \"name\": \"cpu\"}|p|65536|1|1970-01-01 00:00:00.005+00");
  }

  @Test
  void shouldKeepIdWhenPutAgain() {
    task.put(List.of(series("a", 1, 5), series("b", 2, 5)));
    List<String> once = database.query("select * from ds order by id");
    task.put(List.of(series("a", 1, 5), series("b", 2, 5)));
    assertThat(database.query("select * from ds order by id")).isEqualTo(once);
  }

  @Test
  void shouldStoreTheSource() {
    task.put(List.of(series("a", 1, 5, "points"), series("b", 2, 5, ""), series("c", 3, 5, "x")));
    task.put(List.of(series("b", 2, 5, "late"), series("c", 4, 6, "y")));
    assertThat(database.query("select ident ->> 'name', source from ds order by 1"))
        .containsExactly("a|points", "b|late", "c|y");
  }

  @Test
  void shouldMoveSeries() {
    task.put(List.of(series("a", 1, 5)));
    task.put(List.of(series("a", 4, 9)));
    shouldHold("a|p|65536|4|9.000000");
  }

  @Test
  void shouldGiveLocationToNewerSeries() {
    task.put(List.of(series("old", 1, 5), series("other", 2, 5)));
    task.put(List.of(series("new", 1, 6)));
    shouldHold("new|p|65536|1|6.000000", "other|p|65536|2|5.000000");
  }

  @Test
  void shouldIgnoreSeriesWhoseLocationHasNewerOne() {
    task.put(List.of(series("new", 1, 6)));
    task.put(List.of(series("old", 1, 5)));
    shouldHold("new|p|65536|1|6.000000");
  }

  @Test
  void shouldRetireSeries() {
    task.put(List.of(series("a;k=v", 1, 5), series("a", 2, 5)));
    task.put(List.of(Records.retirement("a;k=v"), Records.retirement("never.seen")));
    shouldHold("a|p|65536|2|5.000000");
  }

  @Test
  void shouldApplyOnePutInOrder() {
    task.put(
        List.of(
            series("a", 1, 5),
            series("b", 2, 5),
            Records.retirement("a"),
            series("c", 1, 6), // takes the location of a
            series("b", 3, 7), // has moved
            series("d", 1, 8), // takes the location of c
            Records.retirement("e"),
            series("e", 4, 9)));
    shouldHold("d|p|65536|1|8.000000", "b|p|65536|3|7.000000", "e|p|65536|4|9.000000");
  }

  @Test
  void shouldTakeTagsInAnyOrderForOneSeries() {
    task.put(List.of(series("a;x=1;y=2", 1, 5), series("a;y=2;x=1", 2, 6)));
    shouldHold("a|p|65536|2|6.000000");
  }

  @Test
  void shouldStoreManyAtOnce() {
    var records = new ArrayList<SinkRecord>();
    for (int pos = 1; pos <= 5_000; pos++) {
      records.add(series("s" + pos + ";host=h" + pos % 7, pos, 5));
    }
    task.put(records);
    assertThat(database.query("select count(*), min(pos), max(pos) from ds"))
        .containsExactly("5000|1|5000");
  }

  /** The query of Tgres's author, as it stands. */
  @Test
  void shouldAnswerTheQueryOfTgresAuthor() {
    task.put(List.of(series("cpu.user", 2, 10_000)));
    task.put(
        List.of(row(1, 10_000, 0.5, 0.25), row(2, 20_000, 1, Double.NaN), row(3, 30_000, 1, 7)));
    assertThat(
            database.query(
                "select t, r from ds join tv on tv.ds_id = ds.id where ident @> "
                    + "'{\"name\":\"cpu.user\"}' and tv.step_ms = 10000 order by t desc limit 5;"))
        .containsExactly(
            "1970-01-01 00:00:30+00|7",
            "1970-01-01 00:00:20+00|-",
            "1970-01-01 00:00:10+00|-"); // before it was valid
  }

  private void shouldHold(String... rows) {
    assertThat(database.query(TABLE)).containsExactly(rows);
  }

  private static SinkRecord series(String ident, int pos, long startsAtMs) {
    return series(ident, pos, startsAtMs, "");
  }

  private static SinkRecord series(String ident, int pos, long startsAtMs, String source) {
    return Records.series(new SeriesEntry(ident, "p", 65536, pos, startsAtMs, source, "", 0L));
  }

  private static SinkRecord row(int i, long endMs, double... dp) {
    List<Double> values = Arrays.stream(dp).boxed().toList();
    return Records.row(
        new BundleRow(
            "p", "wmean", 10_000L, 1000, 200, 0.5, false, "wmean", 65536, i, endMs, values));
  }
}
