package dev.rondo.history.fill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.connection.postgres.PostgresUrl;
import dev.rondo.embedded.PgBouncer;
import dev.rondo.history.PoliciesCommand;
import dev.rondo.tools.command.CommandRun;
import dev.rondo.tools.command.Commands;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/** Archives that are added later, against a real PostgreSQL, in the role of the filler. */
class FillIT {
  private static final long S = 1000;
  private static final long M = 60 * S;
  private static final long H = 60 * M;
  private static final int SERIES = 3;
  private static final double NAN = Double.NaN;

  /** The change of the policy, in the middle of a slot of a minute. */
  private static final long CHANGE = 472_222 * H + 25 * M + 20 * S;

  private static final Map<String, Long> STEPS =
      Map.of("wmean", M, "max", 5 * M, "min", 10 * M, "last", M, "sum", H);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path dir;

  private static FillDatabase database;

  private final Random random = new Random(7);
  private final List<NavigableMap<Long, Double>> finest = new ArrayList<>();
  private final Map<String, Integer> added = new HashMap<>();
  private int fine;
  private long beginMs;

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

  @ParameterizedTest
  @ValueSource(doubles = {1, 0.5})
  void shouldHaveWhatTheArchivesWouldHaveIfTheyHadExisted(double xff) throws Exception {
    storeFinest(3 * H);
    addArchives(xff);

    assertThat(database.fill("--dry-run").printed())
        .contains("p wmean:1m:7d: 2 segments\n  from p wmean:10s:6h: ");
    assertThat(database.value("select count(*) from archive_fill")).isEqualTo("0");
    assertThat(database.fill("--once").printed()).contains("0 segments wait for newer slots");

    shouldEqualModel(xff);
    for (int archive : added.values()) {
      assertThat(
              database.value(
                  "select first = (select min(t) from ts where rra_bundle_id = b.id and t > '-infinity')"
                      + " from rra_bundle as b where id = ?",
                  archive))
          .as("queries read it from its oldest slot on")
          .isEqualTo("t");
    }
    assertThat(show()).contains("p max:5m:7d: filled ", " slots, from 20").doesNotContain("10s");
    assertThat(database.fill("--once").printed()).doesNotContain("filled");
  }

  @Test
  @Tag("long")
  void shouldGoOnAfterItWasKilled() throws Exception {
    storeFinest(3 * H);
    addArchives(1);
    for (int kill = 0; kill < 2; kill++) {
      String before = progress();
      Process filler = filler().start();
      try {
        await("progress of the filler").until(() -> !progress().equals(before));
      } finally {
        filler.destroyForcibly().waitFor();
      }
    }
    assertThat(show()).contains(" of 2 segments, ", "last progress ");
    assertThat(database.value("select count(*) from archive_fill where finished is null"))
        .isNotEqualTo("0");

    await("PostgreSQL to notice that the killed process is gone")
        .until(() -> database.fill("--once").code() == 0);
    shouldEqualModel(1);
  }

  @Test
  @Tag("long")
  void shouldLogOneObjectALine() throws Exception {
    ProcessBuilder json = filler();
    json.environment().put("RONDO_LOG_FORMAT", "json");
    Process filler = json.redirectOutput(Redirect.PIPE).start();
    try (var lines = filler.inputReader()) {
      JsonNode first = new ObjectMapper().readTree(lines.readLine());
      assertThat(first.get("message").asText()).isEqualTo("fills new archives");
      assertThat(first.get("level").asText()).isEqualTo("INFO");
    } finally {
      filler.destroyForcibly().waitFor();
    }
    json.environment().put("RONDO_LOG_FORMAT", "xml");
    assertThat(json.redirectOutput(Redirect.DISCARD).start().waitFor()).isEqualTo(2);
  }

  /** A process that fills slowly, until it is ended. */
  private static ProcessBuilder filler() {
    return database.filler(dir.resolve("filler.log"), "--rate=500");
  }

  @Test
  void shouldTakeTurnsBehindAPooler() throws Exception {
    Assumptions.assumeTrue(PgBouncer.isInstalled(), "no pgbouncer here; apt install pgbouncer");
    storeFinest(3 * H);
    addArchives(1);
    var threads = Executors.newFixedThreadPool(2);
    try (PgBouncer pooler = database.pooler(dir.resolve("pgbouncer"))) {
      String url = database.fillerUrl(pooler);
      assertThat(database.fillAt(url, "--dry-run").printed()).contains("p wmean:1m:7d: 2 segments");
      try (Connection direct = PostgresUrl.parse(database.fillerUrl()).connect("rondo-fill")) {
        assertThat(FillSession.open(direct).lock()).isTrue();
        assertThat(database.fillAt(url, "--once").errors()).contains("another process fills");
      }
      Callable<Integer> fill =
          () -> {
            try (Connection connection = PostgresUrl.parse(url).connect("rondo-fill")) {
              FillSession session = FillSession.open(connection);
              await("the other fill to end").until(session::lock);
              var readiness = new Readiness(Duration.ofDays(1), Duration.ZERO, Clock.systemUTC());
              return new Filler(readiness, 1_000_000, line -> {}).fill(session);
            }
          };
      for (var waiting : threads.invokeAll(List.of(fill, fill))) {
        assertThat(waiting.get()).isZero();
      }
      assertThat(database.fillAt(url, "--once").printed()).contains("0 segments wait");
      try (Connection other = PostgresUrl.parse(url).connect("rondo-fill");
          var statement = other.createStatement();
          var settings = statement.executeQuery("show lock_timeout")) {
        settings.next();
        assertThat(settings.getString(1)).as("what it leaves behind").isEqualTo("0");
      }
    } finally {
      threads.shutdown();
    }
    shouldEqualModel(1);
    assertThat(
            database.value(
                "select count(*) from pg_locks where locktype = 'advisory' and database ="
                    + " (select oid from pg_database where datname = current_database())"))
        .isEqualTo("0");
  }

  @Test
  void shouldLeaveASegmentThatAnotherFillerHasFinished() throws Exception {
    storeFinest(3 * H);
    addArchives(1);
    try (Connection connection = PostgresUrl.parse(database.fillerUrl()).connect("rondo-fill")) {
      connection.setAutoCommit(false);
      FillTables.begin(connection);
      List<Fill> open = FillTables.open(connection);
      connection.commit();
      assertThat(open).isNotEmpty();
      assertThat(database.fill("--once").printed()).contains("0 segments wait");

      String before = database.value("select string_agg(f::text, ',') from archive_fill as f");
      for (Fill fill : open) {
        assertThat(new SegmentFill(fill, 0).next(connection))
            .isEqualTo(new SegmentFill.Progress(0, true));
      }
      assertThat(database.value("select string_agg(f::text, ',') from archive_fill as f"))
          .isEqualTo(before);
    }
  }

  @Test
  void shouldKeepValuesThatPointsBring() throws Exception {
    storeFinest(3 * H);
    addArchives(1);
    database.fill("--once", "--settle=1d"); // begins, and waits
    int archive = added.get("wmean");
    var written = new TreeMap<Long, Double>();
    var done = new AtomicBoolean();
    Callable<Void> sink =
        () -> { // back and forth over all slots, as a replay would
          try (Connection connection = database.connectSink()) {
            connection.setAutoCommit(false);
            for (int n = 0; n == 0 || !done.get(); n++) {
              long endMs = (CHANGE / M - random.nextInt(170)) * M;
              double value = 1_000_000 + n;
              // against the order of the fill: of two that wait for each other, the sink goes on
              database.store(connection, archive, 0, endMs + M, NAN, value + 0.5);
              database.store(connection, archive, 0, endMs, NAN, value);
              connection.commit();
              written.put(endMs, value);
              written.put(endMs + M, value + 0.5);
            }
          }
          return null;
        };
    var thread = Executors.newSingleThreadExecutor();
    try {
      var running = thread.submit(sink);
      assertThat(database.fill("--once", "--patience=1ms").printed()).contains("2 segments filled");
      done.set(true);
      running.get();
    } finally {
      thread.shutdown();
    }
    NavigableMap<Long, Double> slots = database.slots("s1", archive);
    assertThat(slots).containsAllEntriesOf(written);
    shouldEqual(database.slots("s0", archive), expected(0, "wmean", 1, archive));
  }

  @Test
  void shouldNotShowAFormerSeriesOfThePosition() throws Exception {
    int tens = database.addArchive("p", "wmean", 10 * S, 2160, 0.5);
    // another series until 5 minutes after the hour, the own one from its 20th minute on
    long hour = CHANGE / H * H;
    database.store(
        tens,
        0,
        hour - H,
        CHANGE + 30 * M,
        endMs -> {
          double first = endMs <= hour + 5 * M ? 99 : endMs > hour + 20 * M ? 1 : NAN;
          return new Double[] {first, 2.0, endMs <= hour ? 77 : NAN};
        });
    database.addSeries("own", "p", 0, 1, hour + 20 * M);
    database.addSeries("other", "p", 0, 2, hour - 2 * H);
    // nobody has position 3 any more
    int halves = database.addArchive("p", "max", 30 * M, 100, 0);
    database.store(halves, 0, hour + 30 * M + 30 * M, 1.0, 2.0);
    long end = (hour / (2 * H) + 2) * 2 * H;
    database.store(halves, 0, hour + 60 * M, end, endMs -> new Double[] {1.0, 2.0});
    int days = database.addArchive("p", "max", 2 * H, 100, 0); // both series are in a slot of it
    database.store(days, 0, end, 1.0, 2.0);
    database.store(tens, 0, end, 1.0, 2.0);

    database.fill("--once", "--patience=1ms");

    assertThat(database.slots("own", halves).values()).containsOnly(1.0);
    assertThat(database.slots("own", halves)).containsKey(hour + 30 * M);
    assertThat(database.slots("own", days).values()).isNotEmpty().containsOnly(1.0);
    assertThat(database.slots("other", halves)).containsKeys(hour - 30 * M, hour, hour + 30 * M);
    assertThat(database.value("select count(*) from ts where rra_bundle_id > 1 and dp[3] = 77"))
        .as("a series that gets the position later must not find them")
        .isEqualTo("0");
  }

  @Test
  void shouldNotShowAFormerSeriesThatHasMoved() throws Exception {
    int tens = database.addArchive("p", "wmean", 10 * S, 2160, 0.5);
    long hour = CHANGE / H * H;
    database.addSeries("moved", "p", 0, 1, hour - H);
    database.execute(
        "update ds set seg = 1, starts_at = ? where ident ->> 'name' = 'moved'",
        new java.sql.Timestamp(hour + 5 * M));
    database.addSeries("taker", "p", 0, 1, hour + 10 * M);
    long untilMs = CHANGE + 30 * M;
    database.store(
        tens,
        0,
        hour - H,
        untilMs,
        endMs -> new Double[] {endMs <= hour + 5 * M ? 99 : endMs > hour + 10 * M ? 1 : NAN});
    database.store(
        tens, 1, hour - H, untilMs, endMs -> new Double[] {endMs > hour + 5 * M ? 98.0 : NAN});
    int halves = database.addArchive("p", "max", 30 * M, 100, 0);
    database.store(halves, 0, hour + 60 * M, 1.0);
    database.store(halves, 1, hour + 60 * M, 98.0);

    database.fill("--once", "--patience=1ms");

    assertThat(database.slots("taker", halves).values()).containsOnly(1.0);
    assertThat(database.slots("moved", halves))
        .containsEntry(hour, 99.0)
        .containsEntry(hour - 30 * M, 99.0)
        .containsEntry(hour + 30 * M, 98.0);
  }

  @Test
  void shouldFillPreallocatedRowsAndThoseOfFormerRoundsButKeepNewerOnes() throws Exception {
    int tens = database.addArchive("p", "wmean", 10 * S, 2160, 0.5);
    int minutes = database.addArchive("p", "wmean", M, 120, 0.5);
    database.addSeries("s0", "p", 0, 1, CHANGE - 10 * H);
    long end = CHANGE / M * M;
    database.store(tens, 0, end - 3 * H - 10 * S, end + 30 * M, endMs -> new Double[] {5.0});
    database.execute( // by the sink, around the first slot
        "insert into ts select ?, 0, i, '-infinity', array_fill('NaN'::float8, array[8])"
            + " from generate_series(0, 119) as i",
        minutes);
    database.store(minutes, 0, end - 30 * H, 3.0, 3.0); // of a former round
    database.execute("update rra_bundle set first = null, latest = null where id = ?", minutes);
    database.store(minutes, 0, end - M, end + 30 * M, endMs -> new Double[] {6.0});

    database.fill("--once");

    var expected = new TreeMap<Long, Double>();
    for (long endMs = end - 89 * M; endMs <= end + 30 * M; endMs += M) {
      expected.put(endMs, endMs < end ? 5.0 : 6.0);
    }
    assertThat(database.slots("s0", minutes)).isEqualTo(expected);
    assertThat(database.value("select count(*) from ts where rra_bundle_id = ?", minutes))
        .isEqualTo("120");
    assertThat(
            database.value(
                "select count(*) from ts where rra_bundle_id = ? and dp[2] = 3", minutes))
        .as("values of the former round")
        .isEqualTo("0");
  }

  @Test
  void shouldCopyAnArchiveThatWasResized() throws Exception {
    int former = database.addArchive("p", "wmean", 10 * S, 60, 0.5);
    database.addSeries("s0", "p", 0, 1, CHANGE - 10 * H);
    int longer = database.addArchive("p", "wmean", 10 * S, 6000, 0.5);
    var expected = new TreeMap<Long, Double>();
    LongFunction<Double[]> slot =
        endMs -> {
          double value = random.nextInt(1000);
          if (endMs > CHANGE - 600 * S) {
            expected.put(endMs, value);
          }
          return new Double[] {value};
        };
    database.store(former, 0, CHANGE - H, CHANGE, slot);
    database.store(longer, 0, CHANGE, CHANGE + H, slot);

    database.fill("--once");

    assertThat(database.slots("s0", longer)).isEqualTo(expected);
    assertThat(database.value("select count(*) from archive_fill where rra_bundle_id = ?", former))
        .as("the retired archive is not filled")
        .isEqualTo("0");
  }

  @Test
  void shouldWaitForSlotsThatAreNotStoredYet() throws Exception {
    int tens = database.addArchive("p", "wmean", 10 * S, 2160, 0.5);
    int minutes = database.addArchive("p", "wmean", M, 1000, 0.5);
    long end = CHANGE / M * M;
    database.addSeries("ahead", "p", 0, 1, CHANGE - 10 * H);
    database.addSeries("behind", "p", 1 << 16, 1, CHANGE - 10 * H);
    database.store(tens, 0, end - H, end + 30 * M, endMs -> new Double[] {1.0});
    // the sink has this partition only up to here
    database.store(tens, 1 << 16, end - H, end - 70 * S, endMs -> new Double[] {1.0});
    database.store(minutes, 0, end - M, end + 30 * M, endMs -> new Double[] {1.0});

    assertThat(database.fill("--once").printed())
        .contains("p wmean:1m:1000m: 1 segments filled, 1 wait", "1 segments wait");
    assertThat(database.slots("ahead", minutes)).hasSize(90);
    assertThat(database.slots("behind", minutes)).isEmpty();

    database.store(tens, 1 << 16, end - 70 * S, end + 30 * M, endMs -> new Double[] {2.0});
    assertThat(database.fill("--once").printed()).contains("0 segments wait");
    assertThat(database.slots("behind", minutes))
        .hasSize(60)
        .containsEntry(end - M, 7.0 / 6)
        .containsEntry(end, 2.0);
  }

  @Test
  void shouldEndWithAnArchiveThatIsRemoved() throws Exception {
    storeFinest(H);
    addArchives(1);
    database.fill("--once", "--settle=1d"); // begins, and waits
    database.execute("delete from ts where rra_bundle_id = ?", added.get("max"));
    database.execute("delete from rra_bundle where id = ?", added.get("max"));

    assertThat(database.fill("--once").errors()).isEmpty();
    assertThat(show()).doesNotContain("max");
    assertThat(database.value("select count(*) from segment_fill")).isEqualTo("0");
  }

  @Test
  void shouldReleaseTheLockBeforeItsConnectionEnds() throws Exception {
    storeFinest(H);
    Connection connection = PostgresUrl.parse(database.fillerUrl()).connect("rondo-fill");
    FillSession session = FillSession.open(connection);
    assertThat(session.lock()).isTrue();
    String held =
        "select count(*) from pg_locks where locktype = 'advisory' and pid = "
            + connection.unwrap(PGConnection.class).getBackendPID();
    assertThat(database.value(held)).isEqualTo("1");
    session.release();
    assertThat(database.value(held)).isEqualTo("0");
    session.close();
    assertThat(connection.isClosed()).isTrue();
  }

  @Test
  void shouldNameWhatIsWrong() {
    assertThat(database.fill("--rate=0").errors()).contains("0 rows a second", "--rate");
    assertThat(database.fill("--settle=5x").errors()).contains("'5x' is not a length", "--settle");
    for (String url : List.of("http://u@x/y", "postgresql://x/y", "postgresql://u:p@x", "a b")) {
      CommandRun run =
          CommandRun.of(
              Commands.commandLine(new PoliciesCommand()), "fill", "--once", "--postgres=" + url);
      assertThat(run.errors())
          .contains("'%s' is not postgresql://".formatted(url.replace(":p@", ":***@")));
      assertThat(run.code()).isEqualTo(2);
    }
  }

  /** Slots of 10 s of two segments, with gaps, until half an hour after the change. */
  private void storeFinest(long spanMs) throws Exception {
    fine = database.addArchive("p", "wmean", 10 * S, 2160, 0.5);
    beginMs = CHANGE - spanMs - 10 * S;
    for (int s = 0; s < 2 * SERIES; s++) {
      finest.add(new TreeMap<>());
      database.addSeries("s" + s, "p", s / SERIES, s % SERIES + 1, CHANGE - 20 * H);
    }
    for (int seg = 0; seg < 2; seg++) {
      int first = seg * SERIES;
      database.store(fine, seg, beginMs, CHANGE + 2 * H, endMs -> randomSlot(first, endMs));
    }
  }

  /** Values of the series from {@code first} on, which it remembers. */
  private Double[] randomSlot(int first, long endMs) {
    var dp = new Double[SERIES];
    for (int p = 0; p < SERIES; p++) {
      boolean isGap = p == 0 ? endMs / H % 2 == 0 && endMs % H < 7 * M : random.nextInt(50) < p;
      dp[p] = isGap ? NAN : random.nextInt(8000) / 8.0 - 200;
      if (!isGap) {
        finest.get(first + p).put(endMs, dp[p]);
      }
    }
    return dp;
  }

  /** Archives that begin with the slot after the one of the change, as with xff 1. */
  private void addArchives(double xff) throws Exception {
    for (String function : STEPS.keySet()) {
      long stepMs = STEPS.get(function);
      int archive = database.addArchive("p", function, stepMs, (int) (7 * 24 * H / stepMs), xff);
      added.put(function, archive);
      for (int seg = 0; seg < 2; seg++) {
        int first = seg * SERIES;
        var models =
            IntStream.range(first, first + SERIES).mapToObj(s -> model(s, function, xff)).toList();
        database.store(
            archive,
            seg,
            (CHANGE / stepMs + 1) * stepMs,
            CHANGE + 2 * H,
            endMs ->
                models.stream()
                    .map(model -> model.getOrDefault(endMs, NAN))
                    .toArray(Double[]::new));
      }
    }
  }

  private NavigableMap<Long, Double> model(int series, String function, double xff) {
    NavigableMap<Long, Double> slots =
        FillDatabase.consolidated(finest.get(series), function, STEPS.get(function), xff, 10 * S);
    slots.headMap(beginMs + STEPS.get(function)).clear(); // a part of a slot is not filled
    return slots;
  }

  private void shouldEqualModel(double xff) throws Exception {
    for (Map.Entry<String, Integer> archive : added.entrySet()) {
      for (int s = 0; s < 2 * SERIES; s++) {
        NavigableMap<Long, Double> slots = database.slots("s" + s, archive.getValue());
        NavigableMap<Long, Double> expected =
            expected(s, archive.getKey(), xff, archive.getValue());
        shouldEqual(slots, expected);
      }
    }
  }

  private static void shouldEqual(Map<Long, Double> slots, Map<Long, Double> expected) {
    assertThat(slots.keySet()).isEqualTo(expected.keySet());
    expected.forEach((endMs, value) -> assertThat(slots.get(endMs)).isCloseTo(value, within(1e-9)));
  }

  /** The model up to the newest slot of the archive. */
  private NavigableMap<Long, Double> expected(int series, String function, double xff, int archive)
      throws Exception {
    long latestMs =
        (long)
            (1000
                * Double.parseDouble(
                    database.value(
                        "select extract(epoch from latest) from rra_bundle where id = ?",
                        archive)));
    return model(series, function, xff).headMap(latestMs, true);
  }

  private static String progress() throws Exception {
    return database.value(
        "select coalesce(string_agg(slots::text, ',' order by rra_bundle_id), '') from archive_fill");
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
