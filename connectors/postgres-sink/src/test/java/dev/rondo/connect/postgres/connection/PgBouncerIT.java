package dev.rondo.connect.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.connect.postgres.PostgresSinkTask;
import dev.rondo.connect.postgres.config.PostgresSinkConfig;
import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.connect.postgres.harness.RowFlow;
import dev.rondo.connect.postgres.harness.RowModel;
import dev.rondo.connect.postgres.harness.TaskContext;
import dev.rondo.connect.postgres.harness.TestDatabase;
import dev.rondo.embedded.PgBouncer;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.SeriesEntry;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tasks behind a PgBouncer that gives each transaction any of its connections: more tasks than
 * connections, so that each connection serves all of them.
 */
@Timeout(180)
class PgBouncerIT {
  private static final String USER = "test_pooled";
  private static final int TASKS = 3;
  private static final int CONNECTIONS = 2;
  private static final int PUTS = 40;
  private static final Duration BOUND = Duration.ofSeconds(60);

  @TempDir static Path dir;
  private static TestDatabase database;
  private static PgBouncer pooler;

  @BeforeAll
  static void start() {
    Assumptions.assumeTrue(PgBouncer.isInstalled(), "no pgbouncer here; apt install pgbouncer");
    database = TestDatabase.ofOwnServer();
    database.execute(
        "create role test_pooled login; alter role test_pooled set default_transaction_isolation = 'serializable'");
    database.execute(
        "grant select, insert, update, delete on ds, location_period, ts, rra_bundle, applied_offset, event to test_pooled");
    startPooler(0);
  }

  @AfterAll
  static void stop() {
    if (pooler != null) {
      pooler.close();
      database.execute("drop owned by test_pooled; drop role test_pooled");
    }
  }

  @Test
  void shouldStoreAllRowsOfTasksThatShareConnections() throws Exception {
    var model = new RowModel();
    var restart = new CyclicBarrier(TASKS, PgBouncerIT::restartPooler);
    var running =
        IntStream.range(0, TASKS)
            .mapToObj(t -> CompletableFuture.supplyAsync(() -> write("p" + t, model, restart)))
            .toList();
    for (CompletableFuture<List<String>> failures : running) {
      assertThat(failures.get()).allSatisfy(each -> assertThat(each).contains("answers [08"));
    }
    assertThat(database.query(RowModel.TABLE)).isEqualTo(model.table());
    assertThat(database.query("select count(*) from ds")).containsExactly("" + TASKS * PUTS);
  }

  @Test
  void shouldSetWhatATransactionNeedsAndLeaveNothingBehind() throws SQLException {
    try (var pooled = new Database(PostgresSinkConfig.of(config()))) {
      for (int transaction = 0; transaction < 10; transaction++) {
        Connection connection = pooled.begin();
        assertThat(show(connection, "transaction_isolation")).isEqualTo("read committed");
        assertThat(show(connection, "lock_timeout")).isEqualTo("30s");
        assertThat(show(connection, "idle_in_transaction_session_timeout")).isEqualTo("1min");
        connection.commit();
      }
      try (Connection other = DriverManager.getConnection(pooler.jdbcUrl(USER))) {
        assertThat(show(other, "transaction_isolation")).isEqualTo("serializable");
        assertThat(show(other, "lock_timeout")).isEqualTo("0");
      }
    }
  }

  /** It has lost what the first transactions of the put wrote. */
  @Test
  void shouldWriteAgainWhatASwitchToAReplicaThatWasBehindHasLost() throws Exception {
    TestDatabase replica = database.standby();
    try {
      List<String> slots =
          interrupted(
              () -> {
                await("replay").until(() -> !replica.query("select from ts where i = 1").isEmpty());
                replica.execute("alter system set primary_conninfo = ''");
                replica.query("select pg_reload_conf()");
                await("a replica that is behind")
                    .until(() -> replica.query("select from pg_stat_wal_receiver").isEmpty());
              },
              () -> {
                replica.query("select pg_promote()");
                return replica;
              });
      assertThat(slots).isEqualTo(slots(1, 13));
    } finally {
      restartPooler();
      replica.remove();
    }
  }

  /** By itself the server flushes nothing before it crashes. */
  @Test
  void shouldWriteAgainWhatACrashHasLost() throws Exception {
    try {
      List<String> slots =
          interrupted(
              () -> {
                database.execute("alter system set wal_writer_delay = '10s'");
                database.query("select pg_reload_conf()");
              },
              () -> {
                String pid = "select pid from pg_stat_activity where backend_type = 'walwriter'";
                List<String> before = database.query(pid);
                new ProcessBuilder("kill", "-9", before.get(0)).start().waitFor();
                await("recovery")
                    .ignoreExceptions()
                    .until(() -> !database.query(pid).equals(before));
                return database;
              });
      assertThat(slots).isEqualTo(slots(1, 13));
    } finally {
      database.execute("alter system reset wal_writer_delay");
      database.query("select pg_reload_conf()");
    }
  }

  /** What happens to the server. */
  @FunctionalInterface
  private interface Event {
    void happen() throws Exception;
  }

  /**
   * Writes slot 1, then slots 2 to 13 in seven transactions. A pause of the pooler, which waits for
   * the end of transactions, falls between the second and the third one.
   *
   * @param before happens before slot 2 is written
   * @param meanwhile happens during the pause; returns where the pooler leads to afterwards
   * @return the slots that are there in the end
   */
  private static List<String> interrupted(Event before, Callable<TestDatabase> meanwhile)
      throws Exception {
    database.truncate();
    PostgresSinkTask task = TaskContext.start(config(), new TaskContext(false));
    try {
      task.put(List.of(slot(1)));
      before.happen();
      List<SinkRecord> backlog = IntStream.rangeClosed(2, 13).mapToObj(PgBouncerIT::slot).toList();
      CompletableFuture<Void> put;
      try (Connection locking = DriverManager.getConnection(database.jdbcUrl())) {
        locking.setAutoCommit(false);
        locking.createStatement().execute("select from ts where i = 3 for update");
        put = CompletableFuture.runAsync(() -> put(task, backlog, new ArrayList<>()));
        await("the second transaction").until(PgBouncerIT::isWaiting);
        pooler.pause();
      }
      await("its end").until(PgBouncerIT::isLeft);
      assertThat(put).isNotDone();
      TestDatabase after = meanwhile.call();
      pooler.resumeOn(after.port());
      put.get();
      return after.query("select i from ts where t > '-infinity' order by i");
    } finally {
      task.stop();
    }
  }

  @Test
  void shouldNameStartupParameterThatThePoolerRefuses() {
    Map<String, String> config =
        Map.of("connection.url", pooler.jdbcUrl(USER) + "&options=-csearch_path%3Drondo");
    List<ConfigValue> values = ConnectionCheck.check(config, PostgresSinkConfig.validate(config));
    assertThat(values.stream().flatMap(value -> value.errorMessages().stream()))
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains("unsupported startup parameter", "options", "ignore_startup_parameters");
  }

  /** Returns the failures, after each of which it has tried again. */
  private static List<String> write(String policy, RowModel model, CyclicBarrier restart) {
    var failures = new ArrayList<String>();
    var flow = new RowFlow(policy, 100, policy.hashCode());
    PostgresSinkTask task = TaskContext.start(config(), new TaskContext(false));
    try {
      for (int put = 1; put <= PUTS; put++) {
        List<BundleRow> rows = flow.next(3);
        rows.forEach(model::add);
        var records = new ArrayList<>(rows.stream().map(Records::row).toList());
        records.add(Records.series(new SeriesEntry(policy + put, policy, 0, put, 5L, "", "", 0L)));
        if (put == PUTS / 2) {
          restart.await();
        }
        put(task, records, failures);
      }
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new AssertionError(e);
    } finally {
      task.stop();
    }
    return failures;
  }

  /** Again and again, as a worker does. */
  private static void put(PostgresSinkTask task, List<SinkRecord> records, List<String> failures) {
    await()
        .atMost(BOUND)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              try {
                task.put(records);
                return true;
              } catch (RetriableException e) {
                failures.add(e.getMessage());
                return false;
              }
            });
  }

  private static void restartPooler() {
    pooler.kill();
    startPooler(pooler.port());
  }

  private static void startPooler(int port) {
    pooler = PgBouncer.start(dir, port, database.port(), CONNECTIONS, USER);
  }

  private static SinkRecord slot(int slot) {
    return Records.row(Records.message("p", slot * 10_000L, slot));
  }

  private static List<String> slots(int first, int last) {
    return IntStream.rangeClosed(first, last).mapToObj(Integer::toString).toList();
  }

  private static boolean isWaiting() {
    return database
        .query("select count(*) from pg_stat_activity where wait_event_type = 'Lock'")
        .equals(List.of("1"));
  }

  private static boolean isLeft() {
    return database.query("select from pg_stat_activity where usename = 'test_pooled'").isEmpty();
  }

  private static Map<String, String> config() {
    return Map.of("connection.url", pooler.jdbcUrl(USER), "retry.backoff.max.ms", "200");
  }

  private static String show(Connection connection, String setting) throws SQLException {
    try (var statement = connection.createStatement();
        ResultSet result = statement.executeQuery("show " + setting)) {
      result.next();
      return result.getString(1);
    }
  }
}
