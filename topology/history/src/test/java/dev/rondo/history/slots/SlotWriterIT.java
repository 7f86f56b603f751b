package dev.rondo.history.slots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.history.fill.FillDatabase;
import dev.rondo.history.slots.SlotWriter.Slots;
import dev.rondo.rows.WriteMode;
import dev.rondo.testbed.TriesPercent;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.policy.Policy;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Slots that are written beside a sink, in the role of the filler. */
class SlotWriterIT {
  private static final int WIDTH = 20;
  private static final long S = 1000;
  private static final long BEGIN = 1_700_000_000 * S / (60 * S) * (60 * S);
  private static final double NAN = Double.NaN;

  /** Archives of ten slots each: rounds follow each other soon. */
  private static final Policy POLICY =
      PoliciesFile.parse(
              "policies: [{name: p, match: '.*', step: 10s, archives: ['10s:100s', 'max:1m:10m']}]")
          .named("p")
          .orElseThrow();

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path dir;

  private static FillDatabase database;
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
    database.empty();
    connection = database.connectFiller();
    session = SlotSession.open(connection);
  }

  @AfterEach
  void disconnect() throws Exception {
    connection.close();
  }

  private static Slots slots(int archive, int seg, long endMs, double... values) {
    return new Slots(POLICY, POLICY.archives().get(archive), seg, endMs, values);
  }

  private int write(WriteMode mode, Slots... slots) throws Exception {
    var writer = new SlotWriter(mode, WIDTH);
    return session.transaction(each -> writer.write(each, List.of(slots)));
  }

  private static String row(int archive, int seg, long endMs) throws Exception {
    return database.value(
        "select max(dp[1:4]::text) from ts join rra_bundle as b on b.id = rra_bundle_id"
            + " where step_ms = ? and seg = ? and t = timestamptz 'epoch' + ? * interval '1 ms'",
        POLICY.archives().get(archive).shape().stepMs(),
        seg,
        endMs);
  }

  @Test
  void shouldMakeArchivesThatDoNotExist() throws Exception {
    write(
        WriteMode.FILL,
        slots(0, 7, BEGIN + 20 * S, 1),
        slots(0, 7, BEGIN, 2),
        slots(1, 7, BEGIN, 3, 4));
    assertThat(
            database.value(
                "select string_agg(concat_ws(' ', policy, cf, step_ms, size, width, xff, whisper,"
                    + " aggregate, extract(epoch from first)::bigint * 1000,"
                    + " extract(epoch from latest)::bigint * 1000), ', ' order by step_ms)"
                    + " from rra_bundle"))
        .isEqualTo(
            "p wmean 10000 10 20 0.5 f wmean %d %d, p max 60000 10 20 0.5 f wmean %d %d"
                .formatted(BEGIN, BEGIN + 20 * S, BEGIN, BEGIN));
    assertThat(lengths()).isEqualTo("8");
  }

  @Test
  void shouldWriteNothingBeforeAnArchiveThatBeganLaterThanSeriesOfItsPolicy() throws Exception {
    int fine = database.addArchive("p", "wmean", 10 * S, 10, 0.5);
    int coarse = database.addArchive("p", "max", 60 * S, 10, 0.5);
    long addedMs = BEGIN + 400 * S;
    database.addSeries("s", "p", 0, 1, BEGIN);
    database.store(fine, 0, BEGIN + 10 * S, 1.0);
    database.store(coarse, 0, addedMs, 1.0);
    assertThat(
            write(
                WriteMode.FILL,
                slots(1, 0, addedMs - 60 * S, NAN, 5),
                slots(1, 0, addedMs + 60 * S, NAN, 5),
                slots(0, 0, BEGIN, NAN, 5)))
        .isEqualTo(2);
    assertThat(
            database.value(
                "select string_agg((extract(epoch from first) * 1000)::bigint::text, ','"
                    + " order by id) from rra_bundle"))
        .isEqualTo(BEGIN + "," + addedMs);

    database.execute("update location_period set backfilled = true");
    write(WriteMode.FILL, slots(1, 0, addedMs - 60 * S, NAN, 5));
    assertThat(row(1, 0, addedMs - 60 * S)).contains("5");
  }

  /** All slots of the series were unknown, for example under a wrong policy. */
  @Test
  void shouldWriteBeforeTheFirstSlotOfAPolicyThatHadNone() throws Exception {
    database.addSeries("s", "p", 0, 1, BEGIN);
    int fine = database.addArchive("p", "wmean", 10 * S, 10, 0.5);
    int coarse = database.addArchive("p", "max", 60 * S, 10, 0.5);
    long beganMs = BEGIN + 400 * S;
    database.store(fine, 0, beganMs, 1.0);
    database.store(coarse, 0, beganMs + 80 * S, 1.0);
    write(WriteMode.OVERWRITE, slots(1, 0, beganMs - 40 * S, 5), slots(0, 0, beganMs - 30 * S, 5));
    assertThat(row(1, 0, beganMs - 40 * S)).contains("5");
    assertThat(row(0, 0, beganMs - 30 * S)).contains("5");
  }

  @Test
  void shouldMakeSlotsUnknown() throws Exception {
    write(WriteMode.OVERWRITE, slots(0, 0, BEGIN, 1, 2, 3));
    var unknown = new BitSet();
    unknown.set(0, 2);
    unknown.set(15);
    var cleared =
        new Slots(POLICY, POLICY.archives().get(0), 0, BEGIN, new double[] {NAN, 7}, unknown);
    assertThat(write(WriteMode.FILL, cleared)).isEqualTo(1);
    assertThat(row(0, 0, BEGIN)).isEqualTo("{NaN,7,3,NaN}");
    assertThat(write(WriteMode.FILL, cleared)).isZero();
  }

  /** Lengths in between would leave no room in a page for the next version of a row. */
  @Test
  void shouldMakeRowsAsLongAsASinkDoes() throws Exception {
    double[] values = new double[130];
    var writer = new SlotWriter(WriteMode.FILL, 200);
    session.transaction(each -> writer.write(each, List.of(slots(0, 0, BEGIN, values))));
    assertThat(lengths()).isEqualTo("213");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 100 * S})
  void shouldNotLengthenARowForUnknownValues(long laterMs) throws Exception {
    write(WriteMode.OVERWRITE, slots(0, 0, BEGIN, 1));
    double[] values = new double[12];
    Arrays.fill(values, NAN);
    values[1] = 2;
    write(WriteMode.OVERWRITE, slots(0, 0, BEGIN + laterMs, values));
    assertThat(lengths()).isEqualTo("8");
    write(WriteMode.OVERWRITE, slots(0, 1, BEGIN, values));
    assertThat(lengths()).isEqualTo("8");
  }

  @Test
  void shouldKeepTheFirstOfTwoValuesWhereItOnlyFills() throws Exception {
    write(WriteMode.FILL, slots(0, 0, BEGIN, 1), slots(0, 0, BEGIN, 2, 3));
    assertThat(row(0, 0, BEGIN)).isEqualTo("{1,3,NaN,NaN}");
    write(WriteMode.OVERWRITE, slots(0, 1, BEGIN, 1), slots(0, 1, BEGIN, 2, 3));
    assertThat(row(0, 1, BEGIN)).isEqualTo("{2,3,NaN,NaN}");
  }

  private static String lengths() throws Exception {
    return database.value("select string_agg(distinct cardinality(dp)::text, ',') from ts");
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Stored(long endMs, double[] dp) {}

  /** What the table has to be, by archive, segment and index: the newest slot and its values. */
  @ParameterizedTest
  @EnumSource
  void shouldBeAsAModel(WriteMode mode) throws Exception {
    for (int seed = 0; seed < TriesPercent.of(20); seed++) {
      var random = new Random(seed);
      database.empty();
      var model = new HashMap<List<Integer>, Stored>();
      for (int n = 0; n < 10; n++) {
        var batch = new ArrayList<Slots>();
        for (int k = 0; k < 30; k++) {
          int archive = random.nextInt(2);
          var shape = POLICY.archives().get(archive).shape();
          long endMs = BEGIN + shape.stepMs() * random.nextInt(25);
          double[] values = new double[random.nextInt(4 + 2 * n) % WIDTH];
          for (int p = 0; p < values.length; p++) {
            values[p] = random.nextBoolean() ? NAN : random.nextInt(5);
          }
          int seg = random.nextInt(2);
          boolean isTwice =
              batch.stream()
                  .anyMatch(
                      other ->
                          other.archive().shape().stepMs() == shape.stepMs()
                              && other.seg() == seg
                              && shape.index(other.endMs()) == shape.index(endMs));
          if (isTwice) {
            continue; // two of one row in a batch are joined first
          }
          batch.add(slots(archive, seg, endMs, values));
          model.merge(
              List.of(archive, seg, shape.index(endMs)),
              new Stored(endMs, full(values)),
              (stored, given) -> {
                if (given.endMs != stored.endMs) {
                  boolean isKnown = Arrays.stream(values).anyMatch(value -> !Double.isNaN(value));
                  return given.endMs > stored.endMs && isKnown ? given : stored;
                }
                double[] dp = stored.dp.clone();
                for (int p = 0; p < values.length; p++) {
                  dp[p] = mode.merged(dp[p], values[p]);
                }
                return new Stored(stored.endMs, dp);
              });
        }
        Collections.shuffle(batch, random);
        write(mode, batch.toArray(Slots[]::new));
      }
      for (var expected : model.entrySet()) {
        double[] dp = expected.getValue().dp;
        if (Arrays.stream(dp).anyMatch(value -> !Double.isNaN(value))) {
          assertThat(stored(expected.getKey(), expected.getValue().endMs))
              .as("seed %d, row %s", seed, expected.getKey())
              .containsExactly(dp);
        }
      }
    }
  }

  private static double[] full(double[] values) {
    double[] full = Arrays.copyOf(values, WIDTH);
    Arrays.fill(full, values.length, WIDTH, NAN);
    return full;
  }

  private static double[] stored(List<Integer> key, long endMs) throws Exception {
    String dp =
        database.value(
            "select max(dp::text) from ts join rra_bundle as b on b.id = rra_bundle_id"
                + " where step_ms = ? and seg = ? and i = ?"
                + " and t = timestamptz 'epoch' + ? * interval '1 ms'",
            POLICY.archives().get(key.get(0)).shape().stepMs(),
            key.get(1),
            key.get(2),
            endMs);
    return dp == null
        ? new double[0]
        : full(
            Arrays.stream(dp.substring(1, dp.length() - 1).split(","))
                .mapToDouble(Double::parseDouble)
                .toArray());
  }

  /** By the identity of the archives, whatever their ids: neither can wait for the other. */
  @Test
  void shouldLockRowsInTheOrderInWhichASinkDoes() throws Exception {
    int second = database.addArchive("p", "wmean", 10 * S, 10, 0.5);
    int first = database.addArchive("p", "max", 60 * S, 10, 0.5);
    database.store(second, 0, BEGIN, 1.0);
    database.store(first, 0, BEGIN, 1.0);
    connection.setAutoCommit(false);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (Connection sink = database.connectSink();
        var statement = sink.createStatement()) {
      sink.setAutoCommit(false);
      statement.execute("select from ts where rra_bundle_id = %d for update".formatted(first));
      var slots = List.of(slots(0, 0, BEGIN, NAN, 2), slots(1, 0, BEGIN, NAN, 2));
      connection.createStatement().execute("set lock_timeout = 0");
      Future<Integer> written =
          thread.submit(() -> new SlotWriter(WriteMode.OVERWRITE, WIDTH).write(connection, slots));
      await("the writer waits")
          .until(
              () ->
                  database
                      .value(
                          "select count(*) from pg_stat_activity"
                              + " where datname = current_database() and wait_event_type = 'Lock'")
                      .equals("1"));
      statement.execute(
          "select from ts where rra_bundle_id = %d for update nowait".formatted(second));
      sink.rollback();
      assertThat(written.get()).isEqualTo(2);
    } finally {
      thread.shutdown();
    }
  }

  /** A sink and two writers have the same rows, each its own positions, in several rounds. */
  @Test
  void shouldLoseNothingBesideASink() throws Exception {
    int archive = database.addArchive("p", "wmean", 10 * S, 10, 0.5);
    int rounds = 40;
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      Callable<Void> sink =
          () -> {
            try (Connection own = database.connectSink()) {
              for (int n = 0; n < rounds * 10; n++) {
                database.store(own, archive, 0, BEGIN + n * 10L * S, (double) n);
              }
            }
            return null;
          };
      List<Future<Void>> all =
          List.of(
              threads.submit(sink),
              threads.submit(() -> writeBeside(WriteMode.FILL, 1, rounds)),
              threads.submit(() -> writeBeside(WriteMode.OVERWRITE, 2, rounds)));
      for (Future<Void> one : all) {
        one.get();
      }
    } finally {
      threads.shutdown();
    }
    for (int n = (rounds - 1) * 10; n < rounds * 10; n++) {
      assertThat(row(0, 0, BEGIN + n * 10L * S)).isEqualTo("{%d,%d,%d,NaN}".formatted(n, n, n));
    }
  }

  private static Void writeBeside(WriteMode mode, int position, int rounds) throws Exception {
    try (Connection own = database.connectFiller()) {
      SlotSession beside = SlotSession.open(own);
      var writer = new SlotWriter(mode, WIDTH);
      for (int round = 0; round < rounds; round++) {
        var batch = new ArrayList<Slots>();
        for (int n = round * 10; n < round * 10 + 10; n++) {
          double[] values = {NAN, NAN, NAN};
          values[position] = n;
          batch.add(slots(0, 0, BEGIN + n * 10L * S, values));
        }
        beside.transaction(each -> writer.write(each, batch));
      }
    }
    return null;
  }
}
