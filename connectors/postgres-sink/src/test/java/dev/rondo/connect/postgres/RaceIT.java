package dev.rondo.connect.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.awaitility.Awaitility;

/**
 * Two tasks at the same rows, as a zombie and its successor may be: one writes between any two
 * statements of the other, over a connection of its own.
 */
class RaceIT {
  private static final Bundle BUNDLE = new Bundle("p", "wmean", 10_000, 12);
  private static final int RESERVE_SLOTS = 4;
  private static ExecutorService rivalThread;
  private static TestDatabase database;

  @BeforeContainer
  static void start() {
    database = TestDatabase.empty();
    rivalThread = Executors.newSingleThreadExecutor();
  }

  @AfterContainer
  static void stop() {
    rivalThread.shutdown();
  }

  /** Statements: find, reserve, grow, find, update, upsert; those that are not needed are left. */
  @Property(tries = 30, shrinking = ShrinkingMode.OFF)
  void shouldHoldTheRowsOfBoth(
      @ForAll("rows") List<Row> before,
      @ForAll("rows") List<Row> ours,
      @ForAll("rows") List<Row> theirs,
      @ForAll @IntRange(min = 1, max = 6) int statement)
      throws Exception {
    database.execute("delete from ts; delete from ds; delete from rra_bundle");
    var model = new RowModel();
    List.of(before, ours, theirs).forEach(rows -> rows.forEach(model::write));
    try (var first = database();
        var second = database()) {
      writeAll(first, before);
      writeAll(second, before); // connected
      race(first, ours, second, theirs, statement);
    }
    assertThat(database.query(RowModel.TABLE)).isEqualTo(model.table());
  }

  private static void race(
      Database first, List<Row> ours, Database second, List<Row> theirs, int statement)
      throws Exception {
    int rival = backend(second);
    var rivals = new ArrayList<CompletableFuture<Void>>();
    var prepared = new AtomicInteger();
    Runnable step =
        () -> {
          if (prepared.incrementAndGet() == statement) {
            rivals.add(CompletableFuture.runAsync(() -> writeAll(second, theirs), rivalThread));
            Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(3))
                .until(() -> rivals.get(0).isDone() || waitsForUs(rival));
          }
        };
    while (!wrote(first, ours, step)) {} // a deadlock is tried again
    if (rivals.isEmpty()) { // fewer statements than that
      writeAll(second, theirs);
    } else {
      rivals.get(0).get();
    }
  }

  private static boolean wrote(Database to, List<Row> rows, Runnable step) throws SQLException {
    try {
      Connection connection = to.connection();
      var ids = new Bundles().ids(connection, rows);
      new BundleRows(RESERVE_SLOTS).write(hooked(connection, step), merged(rows), ids);
      connection.commit();
      return true;
    } catch (SQLException e) {
      assertThat(SqlStates.verdict(e)).as("%s", e).isEqualTo(SqlStates.Verdict.RETRY);
      to.rollback();
      return false;
    }
  }

  private static void writeAll(Database to, List<Row> rows) {
    try {
      while (!wrote(to, rows, () -> {})) {}
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static List<Row> merged(List<Row> rows) {
    var byKey = new TreeMap<Row.Key, Row>();
    rows.forEach(row -> byKey.merge(row.key(), row, Row::then));
    return List.copyOf(byKey.values());
  }

  /** {@code connection} itself, with a step before each statement. */
  private static Connection hooked(Connection connection, Runnable step) {
    return (Connection)
        Proxy.newProxyInstance(
            RaceIT.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("prepareStatement")) {
                step.run();
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static int backend(Database of) throws SQLException {
    return of.connection().unwrap(org.postgresql.PGConnection.class).getBackendPID();
  }

  private static boolean waitsForUs(int backend) {
    return database
        .query("select wait_event_type from pg_stat_activity where pid = " + backend)
        .equals(List.of("Lock"));
  }

  private static Database database() {
    return new Database(PostgresSinkConfig.of(database.taskConfig()));
  }

  /** What is known of a slot is the same in whoever's row: so the order does not matter. */
  @Provide
  Arbitrary<List<Row>> rows() {
    return Combinators.combine(
            Arbitraries.longs().between(1, 24),
            Arbitraries.integers().between(0, 1 << 10),
            Arbitraries.of(3, 10))
        .as(RaceIT::row)
        .list()
        .ofMinSize(1)
        .ofMaxSize(10);
  }

  /** Values at the positions whose bits are set in {@code known}, up to a length. */
  private static Row row(long slot, int known, int length) {
    double[] dp = new double[length];
    Arrays.setAll(dp, p -> (known >> p & 1) == 1 ? slot * 100 + p : Double.NaN);
    var key = new Row.Key(BUNDLE, 5, (int) (slot % BUNDLE.size()));
    return new Row(key, 40, 0.5, false, slot * 10_000, dp);
  }
}
