package dev.rondo.connect.postgres.errors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.rondo.connect.postgres.PostgresSinkTask;
import dev.rondo.connect.postgres.config.PostgresSinkConfig;
import dev.rondo.connect.postgres.connection.Database;
import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.connect.postgres.harness.TaskContext;
import dev.rondo.connect.postgres.harness.TestDatabase;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.testbed.TestBed;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What happens to a put that fails. */
@Timeout(180)
class ErrorPolicyIT {
  private static final String ROWS =
      "select i, "
          + TestDatabase.VALUES
          + " from ts where "
          + TestDatabase.HAS_SLOT
          + " order by i";
  private static final String SINK_BACKENDS =
      "select count(*) from pg_stat_activity where application_name = 'rondo-postgres-sink'"
          + " and datname = current_database()";

  @Test
  void shouldRejectPoisonedRecordsAloneAndStoreTheirNeighbours() {
    var database = TestDatabase.empty();
    var context = new TaskContext(true);
    var task = TaskContext.start(database.taskConfig(), context);
    var badFunction = BundleRow.newBuilder(message(2)).setCf("median").build();
    var badTime = BundleRow.newBuilder(message(3)).setT(Long.MAX_VALUE).build();
    var longName = new SeriesEntry("x".repeat(1_000_000), "p", 65536, 3, 5L, "", "", 0L);
    var poisoned =
        List.of(
            Records.row(badFunction),
            Records.row(badTime),
            Records.series(new SeriesEntry("nul\0", "p", 65536, 1, 5L, "", "", 0L)),
            Records.series(new SeriesEntry("place", "p", 65536, 0, 5L, "", "", 0L)),
            Records.series(longName),
            Records.of("any", SchemaAndValue.NULL, SchemaAndValue.NULL));
    var records = new ArrayList<>(poisoned);
    records.add(0, Records.row(message(1)));
    records.add(4, Records.row(message(4)));
    records.add(Records.series(new SeriesEntry("good", "p", 65536, 2, 5L, "", "", 0L)));

    task.put(records);

    assertThat(context.errant).containsExactlyInAnyOrderElementsOf(poisoned);
    assertThat(database.query(ROWS)).containsExactly("1|{1}", "4|{4}");
    assertThat(database.query("select ident from ds")).containsExactly("{\"name\": \"good\"}");

    task.put(List.of(Records.row(message(5))));
    assertThat(database.query(ROWS)).containsExactly("1|{1}", "4|{4}", "5|{5}");
    assertThat(context.timeoutsMs).isEmpty();
    task.stop();
  }

  @Test
  void shouldFailOnPoisonedRecordWithoutReporterAfterItsNeighboursAreStored() {
    var database = TestDatabase.empty();
    var task = TaskContext.start(database.taskConfig(), new TaskContext(false));
    SinkRecord poisoned = Records.row(BundleRow.newBuilder(message(2)).setCf("median").build());
    assertThatThrownBy(
            () -> task.put(List.of(Records.row(message(1)), poisoned, Records.row(message(3)))))
        .isExactlyInstanceOf(ConnectException.class)
        .hasMessageContaining("rondo.bundle-rows-0@" + poisoned.kafkaOffset())
        .hasMessageContaining("errors.deadletterqueue.topic.name");
    assertThat(database.query(ROWS)).containsExactly("1|{1}", "3|{3}");
    task.stop();
  }

  @Test
  void shouldRetryWhilePostgresIsAwayAndLoseNothing() {
    var database = TestDatabase.ofOwnServer();
    var context = new TaskContext(false);
    var task =
        TaskContext.start(
            database.taskConfig("retry.backoff.ms", "10", "retry.backoff.max.ms", "40"), context);
    task.put(List.of(Records.row(message(1))));
    database.kill();

    List<SinkRecord> records = List.of(Records.row(message(2)), Records.row(message(3)));
    for (int attempt = 0; attempt < 4; attempt++) {
      assertThatThrownBy(() -> task.put(records))
          .isInstanceOf(RetriableException.class)
          .hasMessageContaining("2 records")
          .hasMessageMatching("(?s).*\\[(08|57)..\\w\\].*"); // down or shutting down
    }
    assertThat(context.timeoutsMs).allMatch(pauseMs -> pauseMs >= 5 && pauseMs <= 40);
    assertThat(context.timeoutsMs.get(0)).isLessThanOrEqualTo(10);
    assertThat(context.timeoutsMs.get(3)).isGreaterThanOrEqualTo(20);

    database.startAgain();
    await("the put succeeds").until(() -> stored(task, records));
    assertThat(database.query(ROWS)).containsExactly("1|{1}", "2|{2}", "3|{3}");

    int before = context.timeoutsMs.size();
    database.kill();
    assertThatThrownBy(() -> task.put(records)).isInstanceOf(RetriableException.class);
    assertThat(context.timeoutsMs.get(before)).as("starts again after success").isBetween(5L, 10L);
    task.stop();
    database.startAgain();
  }

  @Test
  void shouldRetryWhenItsConnectionIsTerminated() {
    var database = TestDatabase.empty();
    var context = new TaskContext(false);
    var task = TaskContext.start(database.taskConfig(), context);
    task.put(List.of(Records.row(message(1))));
    assertThat(
            database.query(
                "select pg_terminate_backend(pid, 10000) from pg_stat_activity where"
                    + " application_name = 'rondo-postgres-sink' and datname = current_database()"))
        .contains("t");
    assertThatThrownBy(() -> task.put(List.of(Records.row(message(2)))))
        .isInstanceOf(RetriableException.class);
    task.put(List.of(Records.row(message(2))));
    assertThat(database.query(ROWS)).containsExactly("1|{1}", "2|{2}");
    task.stop();
  }

  @Test
  void shouldReportPoisonedRecordOnceThoughItsPutIsTriedAgain() {
    var database = TestDatabase.empty();
    var context = new TaskContext(true);
    var task = TaskContext.start(database.taskConfig(), context);
    List<SinkRecord> records =
        List.of(
            Records.row(BundleRow.newBuilder(message(1)).setCf("median").build()),
            Records.of("any", SchemaAndValue.NULL, SchemaAndValue.NULL),
            Records.row(message(2)));
    String inDatabase = "alter role rondo in database %s ".formatted(database.name());
    database.execute(inDatabase + "set default_transaction_read_only = on");
    try {
      for (int attempt = 0; attempt < 3; attempt++) {
        assertThatThrownBy(() -> task.put(records))
            .isInstanceOf(RetriableException.class)
            .hasMessageContaining("[25006]")
            .hasMessageContaining("targetServerType");
      }
    } finally {
      database.execute("set transaction_read_only = off; " + inDatabase + "reset all");
    }
    task.put(records);
    assertThat(context.errant).containsExactlyInAnyOrder(records.get(0), records.get(1));
    assertThat(database.query(ROWS)).containsExactly("2|{2}");
    task.stop();
  }

  @Test
  void shouldFindPoisonedRecordInFewTransactions() {
    var database = TestDatabase.empty();
    database.execute("alter table ts add constraint refused check (t <> to_timestamp(3000))");
    var context = new TaskContext(true);
    var task = TaskContext.start(database.taskConfig(), context);
    var records = new ArrayList<SinkRecord>();
    for (int i = 0; i < 500; i++) {
      records.add(Records.row(message(i)));
    }
    try {
      task.put(records);
    } finally {
      database.execute("alter table ts drop constraint refused");
    }
    assertThat(context.errant).containsExactly(records.get(300));
    assertThat(context.reasons).singleElement().asString().doesNotContain("insert into");
    assertThat(database.query(ROWS)).hasSize(499);
    String transactions =
        "select count(distinct xmin::text) from ts where " + TestDatabase.HAS_SLOT;
    assertThat(Integer.parseInt(database.query(transactions).get(0))).isLessThan(100);
    task.stop();
  }

  /** Each row takes 20 ms, a statement may take 100. */
  @Test
  void shouldGetThroughWithSmallerTransactionsWhereStatementsAreCancelled() {
    var database = TestDatabase.empty();
    database.execute(
        """
        create function slow() returns trigger language plpgsql as
          $$ begin perform pg_sleep(0.02); return new; end $$;
        create trigger slow before insert on ts for each row execute function slow()
        """);
    var context = new TaskContext(true);
    var task =
        TaskContext.start(
            Map.of(
                "connection.url",
                database.jdbcUrl() + "&options=-c%20statement_timeout=100",
                "retry.backoff.ms",
                "1",
                "preallocate.slots",
                "0"),
            context);
    List<SinkRecord> records =
        IntStream.range(0, 100).mapToObj(i -> Records.row(message(i))).toList();
    try {
      assertThatThrownBy(() -> task.put(records))
          .isInstanceOf(RetriableException.class)
          .hasMessageContaining("[57014]")
          .hasMessageContaining("statement_timeout of the role");
      await("the put succeeds").until(() -> stored(task, records));
    } finally {
      database.execute("drop trigger slow on ts; drop function slow()");
    }
    assertThat(database.query(ROWS)).hasSize(100);
    assertThat(context.errant).isEmpty();
    task.stop();
  }

  /** While the lock is held the task returns to its worker and leaves no backend behind. */
  @Test
  void shouldRetryWhileATableIsLocked() throws SQLException {
    var database = TestDatabase.empty();
    var task =
        TaskContext.start(
            database.taskConfig("socket.timeout.ms", "1000", "retry.backoff.ms", "1"),
            new TaskContext(false));
    task.put(List.of(Records.row(message(1))));
    List<SinkRecord> records = List.of(Records.row(message(2)));
    try (var other = DriverManager.getConnection(database.jdbcUrl())) {
      other.setAutoCommit(false);
      other.createStatement().execute("lock table ts in exclusive mode");
      for (int attempt = 0; attempt < 3; attempt++) {
        assertThatThrownBy(() -> task.put(records))
            .isInstanceOf(RetriableException.class)
            .hasMessageContaining("[55P03]")
            .hasMessageContaining("pg_locks");
      }
      await().untilAsserted(() -> assertThat(database.query(SINK_BACKENDS)).containsExactly("0"));
      other.rollback();
    }
    task.put(records);
    assertThat(database.query(ROWS)).hasSize(2);
    task.stop();
  }

  /**
   * On the fifth execution the driver prepares the statement in the server; its result type has
   * changed by then.
   */
  @Test
  void shouldRetryWhenATableIsAlteredUnderAPreparedStatement() {
    var database = TestDatabase.empty();
    var context = new TaskContext(false);
    var task = TaskContext.start(database.taskConfig("retry.backoff.ms", "1"), context);
    for (int policy = 0; policy < 8; policy++) {
      task.put(List.of(Records.row(ofPolicy("p" + policy))));
    }
    database.execute("alter table rra_bundle alter width type bigint");
    try {
      List<SinkRecord> records = List.of(Records.row(ofPolicy("p9")));
      assertThatThrownBy(() -> task.put(records))
          .isInstanceOf(RetriableException.class)
          .hasMessageContaining("[0A000]");
      task.put(records);
    } finally {
      database.execute("alter table rra_bundle alter width type integer");
    }
    assertThat(database.query(ROWS)).hasSize(9);
    task.stop();
  }

  private static BundleRow ofPolicy(String policy) {
    return BundleRow.newBuilder(message(1)).setPolicy(policy).build();
  }

  @Test
  void shouldBoundTheWaitsOfItsSessions() throws SQLException {
    var database = TestDatabase.empty();
    var config = new HashMap<>(database.taskConfig("socket.timeout.ms", "30000"));
    String settings =
        "select string_agg(name || '=' || setting, ' ' order by name) from pg_settings where name in "
            + "('lock_timeout', 'idle_in_transaction_session_timeout', 'tcp_user_timeout')";
    assertThat(ask(config, settings))
        .isEqualTo(
            "idle_in_transaction_session_timeout=30000 lock_timeout=15000 tcp_user_timeout=30000");
    config.compute("connection.url", (key, url) -> url + "&options=-c%20lock_timeout=7");
    assertThat(ask(config, settings)).as("the stricter bound stays").contains("lock_timeout=7 ");
  }

  private static String ask(Map<String, String> config, String sql) throws SQLException {
    try (var database = new Database(PostgresSinkConfig.of(config));
        var result = database.connection().createStatement().executeQuery(sql)) {
      result.next();
      return result.getString(1);
    }
  }

  @Test
  void shouldLookUpBundlesAgainAfterFailure() {
    var database = TestDatabase.empty();
    var task = TaskContext.start(database.taskConfig(), new TaskContext(false));
    task.put(List.of(Records.row(message(1))));
    database.execute("truncate rra_bundle, ds, ts"); // the bundle is created again with another id
    List<SinkRecord> records = List.of(Records.row(message(2)));
    await("the put succeeds").until(() -> stored(task, records));
    assertThat(
            database.query(
                "select b.id, ts.i from ts join rra_bundle b on b.id = rra_bundle_id where "
                    + TestDatabase.HAS_SLOT))
        .containsExactly("2|2");
    task.stop();
  }

  @Test
  void shouldStartWhilePostgresIsAway() {
    var database = TestDatabase.ofOwnServer();
    database.stop();
    var context = new TaskContext(false);
    var task = TaskContext.start(database.taskConfig("retry.backoff.ms", "1"), context);
    List<SinkRecord> records =
        IntStream.rangeClosed(1, 3).mapToObj(i -> Records.row(message(i))).toList();
    assertThatThrownBy(() -> task.put(records)).isInstanceOf(RetriableException.class);
    database.startAgain();
    await("the put succeeds").until(() -> stored(task, records));
    assertThat(database.query(ROWS)).hasSize(3);
    task.stop();
  }

  @Test
  void shouldFailOnMissingTables() {
    String url = TestBed.emptyDatabase().jdbcUrl();
    shouldFail(Map.of("connection.url", url), "[42P01]", "migrations", "connection.url");
  }

  @Test
  void shouldTryAgainWhenThereIsNoDatabase() {
    String url = TestDatabase.empty().jdbcUrl().replaceFirst("/\\w+\\?", "/nowhere?");
    shouldTryAgain(Map.of("connection.url", url), "[3D000]", "nowhere", "connection.url");
  }

  @Test
  void shouldTryAgainWhenThereIsNoUser() {
    String url = TestDatabase.empty().jdbcUrl().replace("user=rondo", "user=stranger");
    shouldTryAgain(Map.of("connection.url", url), "[28000]", "stranger", "connection.user");
  }

  /** A refused login may have the SQLSTATE of a bad value, and is no record's fault. */
  @Test
  void shouldRejectNoRecordForWhatIsWrongWithTheConnection() {
    String url = TestDatabase.empty().jdbcUrl() + "&options=-c%20statement_timeout=soon";
    shouldTryAgain(Map.of("connection.url", url), "[22023]", "statement_timeout");
  }

  @Test
  void shouldFailOnMissingRights() {
    var database = TestDatabase.empty();
    String guest = TestBed.unique("g");
    database.execute("create role %s login".formatted(guest));
    String url = database.jdbcUrl().replace("user=rondo", "user=" + guest);
    shouldFail(Map.of("connection.url", url), "[42501]", "rondo_writer", "connection.user");
    database.execute("drop role " + guest);
  }

  private static void shouldFail(Map<String, String> config, String... words) {
    var task = TaskContext.start(config, new TaskContext(true));
    assertThatThrownBy(() -> task.put(List.of(Records.row(message(1)))))
        .isExactlyInstanceOf(ConnectException.class)
        .satisfies(e -> assertThat(e.getMessage()).contains(words));
    task.stop();
  }

  private static void shouldTryAgain(Map<String, String> config, String... words) {
    var context = new TaskContext(true);
    var task = TaskContext.start(config, context);
    for (int attempt = 1; attempt <= 2; attempt++) {
      assertThatThrownBy(() -> task.put(List.of(Records.row(message(1)))))
          .isInstanceOf(RetriableException.class)
          .hasMessageContaining("attempt " + attempt)
          .satisfies(e -> assertThat(e.getMessage()).contains(words));
    }
    assertThat(context.errant).isEmpty();
    task.stop();
  }

  private static boolean stored(PostgresSinkTask task, List<SinkRecord> records) {
    try {
      task.put(records);
      return true;
    } catch (RetriableException e) {
      return false;
    }
  }

  private static BundleRow message(int i) {
    return Records.message("p", i * 10_000L, i);
  }
}
