package dev.rondo.history.fill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.rondo.history.PoliciesCommand;
import dev.rondo.tools.command.CommandRun;
import dev.rondo.tools.command.Commands;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Timestamp;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Archives of series that have moved, against a real PostgreSQL, in the role of the filler. */
class MoveFillIT {
  private static final long S = 1000;
  private static final long M = 60 * S;
  private static final long H = 60 * M;
  private static final double NAN = Double.NaN;
  private static final long BEGIN = 472_222 * H;
  private static final long END = BEGIN + 5 * H;
  private static final int SERIES = 12;

  /** Begins after the others: its slots before are filled from what points brought and copies. */
  private static final String LATE = "sum";

  /** Archives of the policy that series move to, by function. */
  private static final Map<String, Long> STEPS =
      Map.of("wmean", 10 * S, "max", 5 * M, "min", 10 * M, "last", M, "sum", H);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path dir;

  private static FillDatabase database;

  private final Random random = new Random(11);
  private final Map<String, NavigableMap<Long, Double>> finest = new HashMap<>();

  /** Rows to write, by archive, segment and end of the slot. */
  private final Map<List<Long>, Double[]> rows = new LinkedHashMap<>();

  private final Map<String, List<Long>> moves = new HashMap<>();
  private final Map<String, Integer> archives = new HashMap<>();
  private int former;
  private int between;

  @BeforeAll
  static void start() throws Exception {
    database = new FillDatabase();
  }

  @AfterAll
  static void stop() throws Exception {
    database.close();
  }

  @BeforeEach
  void empty() throws Exception {
    database.empty();
  }

  @Test
  void shouldHaveWhatTheArchivesWouldHaveIfTheSeriesHadLivedThere() throws Exception {
    storeSeries();

    assertThat(database.fill("--dry-run").printed()).contains("long, segment 0: 12 series");
    killOnce();
    assertThat(show()).contains("long, series that moved there: 0 filled, 12 being filled");
    await("PostgreSQL to notice that the killed process is gone")
        .until(() -> database.fill("--once", "--patience=1ms").code() == 0);

    assertThat(show()).contains("long, series that moved there: 12 filled, 0 being filled");
    flush(archive -> true);
    assertThat(database.fill("--once", "--patience=1ms").code()).isEqualTo(0);
    for (String series : finest.keySet()) {
      for (String function : STEPS.keySet()) {
        shouldEqual(series, function);
      }
    }
    String rows = rows();
    assertThat(database.fill("--once", "--patience=1ms").printed()).doesNotContain("filled,");
    assertThat(rows()).isEqualTo(rows);
  }

  @Test
  void shouldLeavePositionsThatOthersHaveHad() throws Exception {
    former = database.addArchive("short", "wmean", 10 * S, 2160, 0.5);
    int target = database.addArchive("long", "wmean", 10 * S, 8640, 0.5);
    for (int pos = 1; pos <= 3; pos++) {
      database.addSeries("s" + pos, "short", 0, pos, BEGIN);
    }
    database.addSeries("retired", "long", 0, 1, BEGIN);
    database.addSeries("moved", "long", 0, 2, BEGIN);
    for (long endMs = BEGIN + 10 * S; endMs <= END; endMs += 10 * S) {
      boolean isBefore = endMs <= BEGIN + H;
      boolean isAfter = endMs > BEGIN + 2 * H;
      for (int index = 0; index < 3; index++) {
        if (!isAfter) {
          store(former, 0, index, endMs, 1.0);
        }
        if (isAfter || (isBefore && index < 2)) {
          store(target, 0, index, endMs, isAfter ? 2 : 7 + index);
        }
      }
    }
    flush(archive -> true);
    database.execute("delete from ds where ident ->> 'name' = 'retired'");
    database.execute("delete from location_period where displaced_ident is not null");
    move("moved", "long", 1, 1, BEGIN + H);
    for (int pos = 1; pos <= 3; pos++) {
      move("s" + pos, "long", 0, pos, BEGIN + 2 * H);
    }

    database.fill("--once", "--patience=1ms");

    for (String series : List.of("s1", "s2")) {
      assertThat(database.slots(series, target).firstKey()).isEqualTo(BEGIN + 2 * H + 10 * S);
    }
    assertThat(database.slots("s3", target).headMap(BEGIN + 2 * H, true).values())
        .hasSize((int) (2 * H / (10 * S)))
        .containsOnly(1.0);
    assertThat(database.slots("moved", target).values()).containsOnly(8.0);
  }

  @Test
  void shouldFillNothingThatFormerArchivesKeepAsLong() throws Exception {
    former = database.addArchive("former", "wmean", 10 * S, 2160, 0.5);
    int minutes = database.addArchive("renamed", "wmean", M, 360, 0.5);
    int tens = database.addArchive("renamed", "wmean", 10 * S, 2160, 0.5);
    database.addSeries("s", "former", 0, 1, BEGIN);
    for (long endMs = BEGIN + 10 * S; endMs <= END; endMs += 10 * S) {
      store(endMs <= BEGIN + H ? former : tens, 0, 0, endMs, 1.0);
    }
    store(minutes, 0, 0, END, 1.0);
    flush(archive -> true);
    move("s", "renamed", 0, 1, BEGIN + H);

    database.fill("--once", "--patience=1ms");

    assertThat(
            database.value(
                "select string_agg(coalesce(fill, '-'), ',' order by number) from location_period"))
        .isEqualTo("-,none");
    assertThat(database.slots("s", minutes).firstKey()).isGreaterThan(BEGIN + H);
    assertThat(show()).doesNotContain("series that moved");
  }

  /** Series of two policies and several segments, which move to the third in several minutes. */
  private void storeSeries() throws Exception {
    former = database.addArchive("short", "wmean", 10 * S, 2160, 0.5);
    between = database.addArchive("between", "wmean", 10 * S, 2160, 0.5);
    STEPS.forEach(
        (function, stepMs) -> {
          try {
            archives.put(
                function,
                database.addArchive("long", function, stepMs, (int) (100 * H / stepMs), 0.5));
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
    store(former, 0, 0, BEGIN - H, 0); // of a series that is gone: the archive is older
    for (int s = 0; s < SERIES; s++) {
      String series = "s" + s;
      long bornMs = BEGIN + random.nextInt(100) * M + random.nextInt(60) * S;
      long leftMs = BEGIN + 2 * H + random.nextInt(10 * 60) * S;
      long movedMs = s % 3 == 0 ? leftMs + H + random.nextInt(600) * S : leftMs;
      moves.put(series, s % 3 == 0 ? List.of(bornMs, leftMs, movedMs) : List.of(bornMs, movedMs));
      var slots = new TreeMap<Long, Double>();
      for (long endMs = bornMs / (10 * S) * 10 * S + 10 * S; endMs <= END; endMs += 10 * S) {
        if (random.nextInt(50) >= s) {
          slots.put(endMs, random.nextInt(8000) / 8.0 - 200);
        }
      }
      finest.put(series, slots);
      database.addSeries(series, "short", s % 2, s / 2 + 1, bornMs);
      store(series, former, s % 2, s / 2, bornMs, leftMs);
      if (s % 3 == 0) {
        move(series, "between", 5, s + 1, leftMs);
        store(series, between, 5, s, leftMs, movedMs);
      }
      move(series, "long", 0, SERIES - s, movedMs);
      for (String function : STEPS.keySet()) {
        long stepMs = STEPS.get(function);
        var since = slots.tailMap(movedMs, false);
        for (var slot : model(since, function).entrySet()) {
          boolean isLate = function.equals(LATE) && slot.getKey() < END;
          if (slot.getKey() - stepMs >= movedMs && !isLate) {
            store(archives.get(function), 0, SERIES - s - 1, slot.getKey(), slot.getValue());
          }
        }
      }
    }
    flush(archive -> archive != archives.get(LATE));
  }

  private void store(String series, int archive, int seg, int index, long fromMs, long toMs) {
    for (var slot : finest.get(series).subMap(fromMs, false, toMs + 10 * S - 1, true).entrySet()) {
      store(archive, seg, index, slot.getKey(), slot.getValue());
    }
  }

  private void store(int archive, int seg, int index, long endMs, double value) {
    var dp =
        rows.computeIfAbsent(
            List.of((long) archive, (long) seg, endMs),
            key -> DoubleStream.generate(() -> NAN).limit(SERIES).boxed().toArray(Double[]::new));
    dp[index] = value;
  }

  /** Writes what was stored of these archives, at once. */
  private void flush(IntPredicate selected) throws Exception {
    try (Connection sink = database.connectSink();
        PreparedStatement insert =
            sink.prepareStatement(
                "insert into ts (rra_bundle_id, seg, i, t, dp)"
                    + " select id, ?, ? / step_ms % size, ?, ? from rra_bundle where id = ?")) {
      sink.setAutoCommit(false);
      for (var row : rows.entrySet()) {
        if (!selected.test(row.getKey().get(0).intValue())) {
          continue;
        }
        long endMs = row.getKey().get(2);
        insert.setLong(1, row.getKey().get(1));
        insert.setLong(2, endMs);
        insert.setTimestamp(3, new Timestamp(endMs));
        insert.setArray(4, sink.createArrayOf("float8", row.getValue()));
        insert.setLong(5, row.getKey().get(0));
        insert.addBatch();
      }
      insert.executeBatch();
      FillDatabase.execute(
          sink,
          "update rra_bundle as b set first = s.first, latest = s.latest from"
              + " (select rra_bundle_id, min(t) as first, max(t) as latest from ts group by 1) as s"
              + " where b.id = s.rra_bundle_id");
      sink.commit();
    }
    rows.keySet().removeIf(row -> selected.test(row.get(0).intValue()));
  }

  private static void move(String series, String policy, int seg, int pos, long atMs)
      throws Exception {
    database.execute(
        "update ds set policy = ?, seg = ?, pos = ?, starts_at = ? where ident ->> 'name' = ?",
        policy,
        seg,
        pos,
        new Timestamp(atMs),
        series);
  }

  private static NavigableMap<Long, Double> model(Map<Long, Double> finest, String function) {
    return FillDatabase.consolidated(finest, function, STEPS.get(function), 0.5, 10 * S);
  }

  /** The slots of the model that lie within one period, and those with the birth of the series. */
  private void shouldEqual(String series, String function) throws Exception {
    long stepMs = STEPS.get(function);
    List<Long> times = moves.get(series);
    var expected = new TreeMap<Long, Double>();
    for (var slot : model(finest.get(series), function).entrySet()) {
      long endMs = slot.getKey();
      boolean isWhole = times.stream().skip(1).noneMatch(at -> endMs - stepMs < at && endMs > at);
      if (isWhole) {
        expected.put(endMs, slot.getValue());
      }
    }
    NavigableMap<Long, Double> slots = database.slots(series, archives.get(function));
    if (function.equals(LATE)) { // has slots of moves, without the finest one that is unknown
      times.stream().skip(1).forEach(at -> slots.remove((at / stepMs + 1) * stepMs));
    }
    assertThat(slots.keySet()).as("%s %s %s", series, function, times).isEqualTo(expected.keySet());
    expected.forEach((endMs, value) -> assertThat(slots.get(endMs)).isCloseTo(value, within(1e-9)));
    assertThat(
            database.value(
                "select count(*) from ds join tv on tv.ds_id = ds.id"
                    + " where ident ->> 'name' = ? and rra_bundle_id = ? and r is not null",
                series,
                archives.get(function)))
        .as("one value a slot")
        .isEqualTo("" + database.slots(series, archives.get(function)).size());
  }

  private static void killOnce() throws Exception {
    Process filler =
        database.filler(dir.resolve("filler.log"), "--patience=1ms", "--rate=300").start();
    try {
      String before = rows();
      await("rows of the filler").until(() -> !rows().equals(before));
    } finally {
      filler.destroyForcibly().waitFor();
    }
  }

  private static String rows() throws Exception {
    return database.value(
        "select count(*) || ' ' || md5(string_agg(dp::text, '' order by rra_bundle_id, seg, i)) from ts");
  }

  private static String show() {
    return CommandRun.of(
            Commands.commandLine(new PoliciesCommand()),
            "show",
            "--fills",
            "--postgres=" + database.fillerUrl())
        .printed();
  }
}
