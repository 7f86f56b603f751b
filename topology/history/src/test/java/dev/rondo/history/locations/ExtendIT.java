package dev.rondo.history.locations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.history.fill.FillDatabase;
import dev.rondo.history.slots.SlotSession;
import dev.rondo.history.slots.SlotWriter;
import dev.rondo.history.slots.SlotWriter.Slots;
import dev.rondo.rows.WriteMode;
import dev.rondo.topology.archive.Archive;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.policy.Policy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Timestamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Location periods for slots of the past, in the role of the filler, and what the view tv shows of
 * them.
 */
class ExtendIT {
  private static final long S = 1000;
  private static final long M = 60 * S;
  private static final long H = 60 * M;
  private static final long T = 472_222 * H;

  /** Series begin within a slot of each archive. */
  private static final long BORN = T + 2 * H + 3 * S;

  private static final Policies POLICIES =
      PoliciesFile.parse(
          """
          policies:
            - {name: a, match: a, step: 10s, archives: ['10s:1d', '5m:10d']}
            - {name: b, match: b, step: 10s, archives: ['10s:1d', '5m:10d']}
            - {name: c, match: c, step: 10s, archives: ['10s:1d', '5m:10d']}
          """);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path dir;

  private static FillDatabase database;
  private final Locations locations = new Locations(null, "test", Duration.ZERO, null);
  private Connection connection;
  private SlotSession session;

  @BeforeAll
  static void start() throws Exception {
    database = new FillDatabase();
  }

  @AfterAll
  static void stop() throws Exception {
    database.close();
  }

  @BeforeEach
  void connect() throws Exception {
    empty();
    connection = database.connectFiller();
    session = SlotSession.open(connection);
  }

  @AfterEach
  void disconnect() throws Exception {
    connection.close();
  }

  /** Archives that have been there for long. */
  private static void empty() throws Exception {
    database.empty();
    for (Policy policy : POLICIES.inOrder()) {
      for (Archive archive : policy.archives()) {
        var shape = archive.shape();
        database.addArchive(policy.name(), "wmean", shape.stepMs(), shape.size(), 0.5);
      }
    }
    database.execute(
        "update rra_bundle set first = ?, latest = ?", new Timestamp(T - 9 * H), new Timestamp(T));
  }

  private static Policy policy(String name) {
    return POLICIES.named(name).orElseThrow();
  }

  private static void series(String name, String policy, int pos, long startsAtMs)
      throws Exception {
    database.addSeries(name, policy, 0, pos, startsAtMs);
  }

  private static void move(String name, String policy, int pos, long atMs) throws Exception {
    database.execute(
        "update ds set policy = ?, pos = ?, starts_at = ? where ident ->> 'name' = ?",
        policy,
        pos,
        new Timestamp(atMs),
        name);
  }

  /** A series that ends, and whose history is gone. */
  private static void retire(String name) throws Exception {
    database.execute("delete from ds where ident ->> 'name' = ?", name);
    database.execute("delete from location_period where displaced_ident is not null");
  }

  /** Slots as the sink stores them: of each archive that end in this time. */
  private void points(String policy, int pos, long fromMs, long untilMs, double value)
      throws Exception {
    write(WriteMode.OVERWRITE, new Location(policy, 0, pos, 0, 0, 0), fromMs, untilMs, value);
  }

  private void write(WriteMode mode, Location location, long fromMs, long untilMs, double value)
      throws Exception {
    var slots = new ArrayList<Slots>();
    Policy policy = policy(location.policy());
    for (Archive archive : policy.archives()) {
      long stepMs = archive.shape().stepMs();
      for (long endMs = archive.shape().endOf(fromMs + 1);
          endMs - stepMs < untilMs;
          endMs += stepMs) {
        double[] values = new double[location.pos()];
        Arrays.fill(values, Double.NaN);
        values[location.pos() - 1] = value;
        slots.add(new Slots(policy, archive, location.seg(), endMs, values));
      }
    }
    var writer = new SlotWriter(mode, 116);
    session.transaction(each -> writer.write(each, slots));
  }

  private long extend(String name, long fromMs, WriteMode mode) throws Exception {
    return locations.extend(session, Map.of(name, fromMs), mode).get(name);
  }

  private Location current(String name) throws Exception {
    return session.transaction(each -> locations.current(each, List.of(name))).get(name);
  }

  /** Backfills all of the time from {@code fromMs} on: where each slot is taken. */
  private void backfill(String name, long fromMs, long untilMs, WriteMode mode, double value)
      throws Exception {
    long sinceMs = extend(name, fromMs, mode);
    if (mode == WriteMode.OVERWRITE) {
      write(mode, current(name), sinceMs, untilMs, value);
      return;
    }
    List<Location> periods =
        session.transaction(each -> locations.periods(each, List.of(name))).get(name);
    for (Location period : periods) {
      long from = Math.max(fromMs, period.sinceMs());
      if (from < Math.min(untilMs, period.untilMs())) {
        write(mode, period, from, Math.min(untilMs, period.untilMs()), value);
      }
    }
  }

  /** Known values of a series in the view tv, by the end of their slot. */
  private static NavigableMap<Long, Double> shown(String name, long stepMs) throws Exception {
    var shown = new TreeMap<Long, Double>();
    try (Connection own = database.connect();
        var statement =
            own.prepareStatement(
                "select t, r from ds join tv on tv.ds_id = ds.id"
                    + " where ident ->> 'name' = ? and step_ms = ? and r is not null")) {
      statement.setString(1, name);
      statement.setLong(2, stepMs);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          Double other = shown.put(result.getTimestamp(1).getTime(), result.getDouble(2));
          assertThat(other).isIn(null, result.getDouble(2)); // twice if it was copied
        }
      }
    }
    return shown;
  }

  /** Expects values in turn: each from the end of the one before until a time. */
  private static void shouldShow(String name, long fromMs, Object... untilMsAndValue)
      throws Exception {
    for (long stepMs : new long[] {10 * S, 5 * M}) {
      var expected = new TreeMap<Long, Double>();
      long endMs = Math.floorDiv(fromMs, stepMs) * stepMs + stepMs;
      for (int n = 0; n < untilMsAndValue.length; n += 2) {
        long untilMs = (Long) untilMsAndValue[n];
        for (;
            endMs - stepMs < untilMs && (n + 2 == untilMsAndValue.length || endMs <= untilMs);
            endMs += stepMs) {
          expected.put(endMs, (Double) untilMsAndValue[n + 1]);
        }
      }
      assertThat(shown(name, stepMs)).as("step %d", stepMs).isEqualTo(expected);
    }
  }

  private static String periods(String name) throws Exception {
    return database.value(
        "select string_agg(concat_ws(' ', s.number, s.policy, s.fill), ', ' order by s.number)"
            + " from location_period as s join ds on ds.id = s.ds_id where ident ->> 'name' = ?"
            + " having max(s.number) = max(ds.period)",
        name);
  }

  @Test
  void shouldExtendASeriesThatNeverMoved() throws Exception {
    for (WriteMode mode : WriteMode.values()) {
      empty();
      series("s", "a", 2, BORN);
      points("a", 2, BORN, T + 4 * H, 1);
      backfill("s", T + H, BORN, mode, 2);
      assertThat(periods("s")).isEqualTo("0 a none, 1 a none");
      double border = mode == WriteMode.FILL ? 1 : 2;
      assertThat(shown("s", 10 * S)).containsEntry(T + 2 * H + 10 * S, border);

      backfill("s", T, T + H, mode, 3);
      backfill("s", T + H / 2, T + H, mode, 3);
      assertThat(periods("s")).as("prolonged").isEqualTo("0 a none, 1 a none");
      var shown = shown("s", 10 * S);
      assertThat(shown.headMap(T + H, true).values()).hasSize(360).containsOnly(3.0);
      assertThat(shown.subMap(T + H, false, T + 2 * H, true).values())
          .hasSize(360)
          .containsOnly(2.0);
      assertThat(shown.tailMap(T + 2 * H + 10 * S, false).values()).hasSize(719).containsOnly(1.0);
      assertThat(current("s").sinceMs()).isEqualTo(BORN);
      assertThat(extend("s", BORN + H, mode)).isEqualTo(BORN + H);
    }
  }

  @Test
  void shouldShowWhatWasFilledAroundStaysAndBeforeThem() throws Exception {
    series("s", "a", 1, BORN);
    points("a", 1, BORN, T + 3 * H, 1);
    move("s", "b", 2, T + 3 * H);
    points("b", 2, T + 3 * H, T + 4 * H, 2);
    move("s", "c", 3, T + 4 * H);
    points("c", 3, T + 4 * H, T + 5 * H, 3);

    backfill("s", T, T + 5 * H, WriteMode.FILL, 9);

    assertThat(periods("s")).isEqualTo("0 c none, 1 a none, 2 b, 3 c");
    shouldShow("s", T, T + 2 * H, 9.0, T + 3 * H, 1.0, T + 4 * H, 2.0, T + 5 * H, 3.0);
  }

  @Test
  void shouldShowWhatWasWrittenOverPeriods() throws Exception {
    series("s", "a", 1, BORN);
    points("a", 1, BORN, T + 3 * H, 1);
    move("s", "b", 2, T + 3 * H);
    points("b", 2, T + 3 * H, T + 4 * H, 2);
    move("s", "c", 3, T + 4 * H);
    points("c", 3, T + 4 * H, T + 5 * H, 3);

    backfill("s", T + 2 * H + H / 2, T + 3 * H + H / 2, WriteMode.OVERWRITE, 9);

    assertThat(periods("s")).isEqualTo("0 a, 1 b, 2 c none, 3 c");
    long begin = T + 2 * H;
    Object[] expected = {
      T + 2 * H + H / 2, 1.0, T + 3 * H + H / 2, 9.0, T + 4 * H, 2.0, T + 5 * H, 3.0
    };
    shouldShow("s", begin, expected);

    backfill("s", T, T + H, WriteMode.OVERWRITE, 8);
    assertThat(periods("s")).as("prolonged").isEqualTo("0 a, 1 b, 2 c none, 3 c");
    move("s", "a", 7, T + 5 * H);
    points("a", 7, T + 5 * H, T + 6 * H, 4);
    var shown = shown("s", 10 * S);
    assertThat(shown.headMap(T + H, true).values()).hasSize(360).containsOnly(8.0);
    assertThat(shown.get(T + 3 * H)).isEqualTo(9.0);
    assertThat(shown.get(T + 5 * H + 10 * S)).isEqualTo(4.0);
  }

  /** Its history is gone, so its values may go. */
  @Test
  void shouldNotShowWhatARetiredSeriesHasLeft() throws Exception {
    series("gone", "a", 1, T - 5 * H);
    points("a", 1, T - H, T + H, 5);
    retire("gone");
    series("s", "a", 1, BORN);
    series("other", "a", 2, T - H);
    points("a", 1, BORN, T + 3 * H, 1);
    points("a", 2, T - H, T + 3 * H, 7);

    assertThat(extend("s", T - 2 * M, WriteMode.FILL)).isEqualTo(T - 2 * M);

    assertThat(shown("s", 10 * S).firstKey()).isEqualTo(T + 2 * H + 10 * S);
    shouldShow("other", T - H, T + 3 * H, 7.0);
    assertThat(
            database.value(
                "select count(*) from ts where dp[1] = 5 and t <= ?::timestamptz and rra_bundle_id ="
                    + " (select id from rra_bundle where policy = 'a' and step_ms = 10000)",
                new Timestamp(T - 2 * M).toInstant().toString()))
        .as("before the time")
        .isEqualTo(String.valueOf((H - 2 * M) / (10 * S)));
    write(WriteMode.FILL, current("s"), T - 2 * M, T + 2 * H, 3);
    assertThat(shown("s", 10 * S).firstEntry()).isEqualTo(Map.entry(T - 2 * M + 10 * S, 3.0));
  }

  @Test
  void shouldBeginAfterAFormerSeriesThatIsStillShown() throws Exception {
    long left = T + H + 7 * S;
    series("former", "a", 1, T);
    points("a", 1, T, left, 5);
    move("former", "b", 1, left);
    points("b", 1, left, T + 3 * H, 6);
    var before = shown("former", 10 * S);
    series("s", "a", 1, BORN);
    points("a", 1, BORN, T + 3 * H, 1);
    for (WriteMode mode : WriteMode.values()) {
      assertThat(extend("s", T, mode)).isEqualTo(T + H + 5 * M);
      write(mode, current("s"), T + H + 5 * M, T + 2 * H, 2);
    }
    assertThat(shown("former", 10 * S)).isEqualTo(before);
    assertThat(shown("s", 10 * S).firstKey()).isEqualTo(T + H + 5 * M + 10 * S);
    assertThat(shown("s", 5 * M).firstKey()).isEqualTo(T + H + 10 * M);

    series("late", "c", 1, T + H);
    move("late", "b", 3, T + 2 * H);
    series("next", "c", 1, T + 2 * H);
    assertThat(extend("next", T + 2 * H - S, WriteMode.FILL)).isEqualTo(T + 2 * H);
    assertThat(periods("next")).as("none is free").isEqualTo("0 c");
  }

  /** It comes to a position that another one left, which was there since its own first slots. */
  @Test
  void shouldFillBeforeTheFirstPeriodWhereAnotherOneLivedLater() throws Exception {
    series("s", "a", 1, BORN);
    points("a", 1, BORN, T + 4 * H, 1);
    series("former", "b", 1, T + 3 * H);
    points("b", 1, T + 3 * H, T + 4 * H, 5);
    move("former", "c", 1, T + 4 * H);
    move("s", "b", 1, T + 5 * H);
    var before = shown("former", 10 * S);

    backfill("s", T, BORN, WriteMode.FILL, 9);

    assertThat(shown("former", 10 * S)).isEqualTo(before);
    shouldShow("s", T, T + 2 * H, 9.0, T + 4 * H, 1.0);
  }

  /** The sink reads entries again, and a replay makes one begin earlier. */
  @Test
  void shouldKeepItWhenEntriesAreReadAgain() throws Exception {
    series("s", "a", 1, BORN);
    points("a", 1, BORN, T + 3 * H, 1);
    backfill("s", T, BORN, WriteMode.FILL, 9);
    var before = shown("s", 10 * S);
    move("s", "a", 1, BORN + H);
    move("s", "a", 1, BORN);
    assertThat(shown("s", 10 * S)).isEqualTo(before);
    move("s", "a", 1, BORN - H);
    assertThat(shown("s", 10 * S)).isEqualTo(before);
    move("s", "b", 1, T + 3 * H);
    move("s", "a", 1, BORN - H);
    move("s", "b", 1, T + 3 * H);
    assertThat(shown("s", 10 * S)).isEqualTo(before);
  }

  /** What a backfill has written is copied when the series moves; the later period is right. */
  @Test
  void shouldBeCopiedToTheNextArchives() throws Exception {
    series("s", "a", 1, BORN);
    points("a", 1, BORN, T + 3 * H, 1);
    move("s", "b", 2, T + 3 * H);
    points("b", 2, T + 3 * H, T + 4 * H, 2);
    backfill("s", T + H, T + 3 * H - H / 2, WriteMode.OVERWRITE, 9);
    int longer = database.addArchive("long", "wmean", 10 * S, 100_000, 0.5);
    move("s", "long", 4, T + 4 * H);
    for (long endMs = T + 4 * H + 10 * S; endMs <= T + 5 * H; endMs += 10 * S) {
      database.store(longer, 0, endMs, Double.NaN, Double.NaN, Double.NaN, 4.0);
    }
    var before = shown("s", 10 * S);
    database.execute(
        "insert into ds (ident, policy, seg, pos, starts_at) values ('{\"name\": \"x\"}', 'long', 0, 9, ?)",
        new Timestamp(T + 4 * H));

    assertThat(database.fill("--once", "--patience=1ms").errors()).isEmpty();

    assertThat(periods("s")).contains("long done");
    assertThat(shown("s", 10 * S)).isEqualTo(before);
    database.execute("delete from ts where rra_bundle_id <> ?", longer);
    before.remove(T + 2 * H + 10 * S);
    assertThat(shown("s", 10 * S)).containsAllEntriesOf(before.headMap(T + 2 * H + H / 2, true));
  }
}
