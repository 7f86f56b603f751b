package dev.rondo.connect.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.SeriesEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of a put that fails. */
@Timeout(180)
class ErrorPolicyIT {
  private static final String ROWS =
      "select i, "
          + TestDatabase.VALUES
          + " from ts where "
          + TestDatabase.HAS_SLOT
          + " order by i";

  @Test
  void shouldRejectPoisonedRecordsAloneAndStoreTheirNeighbours() {
    var database = TestDatabase.empty();
    var context = new TaskContext(true);
    var task = TaskContext.start(database.taskConfig(), context);
    var badFunction = BundleRow.newBuilder(message(2)).setCf("median").build();
    var badTime = BundleRow.newBuilder(message(3)).setT(Long.MAX_VALUE).build();
    var longName = new SeriesEntry("x".repeat(1_000_000), "p", 65536, 3, 5L);
    var poisoned =
        List.of(
            Records.row(badFunction),
            Records.row(badTime),
            Records.series(new SeriesEntry("nul\0", "p", 65536, 1, 5L)),
            Records.series(new SeriesEntry("place", "p", 65536, 0, 5L)),
            Records.series(longName),
            Records.of("any", SchemaAndValue.NULL, SchemaAndValue.NULL));
    var records = new ArrayList<>(poisoned);
    records.add(0, Records.row(message(1)));
    records.add(4, Records.row(message(4)));
    records.add(Records.series(new SeriesEntry("good", "p", 65536, 2, 5L)));

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
    var database = TestDatabase.ofItsOwn();
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
          .hasMessageMatching("(?s).*\\[(08|57)..\\w\\].*"); // away, or just about to be
    }
    assertThat(context.timeoutsMs).containsExactly(10L, 20L, 40L, 40L);

    database.startAgain();
    await().atMost(Duration.ofSeconds(30)).until(() -> stored(task, records));
    assertThat(database.query(ROWS)).containsExactly("1|{1}", "2|{2}", "3|{3}");

    int before = context.timeoutsMs.size();
    database.kill();
    assertThatThrownBy(() -> task.put(records)).isInstanceOf(RetriableException.class);
    assertThat(context.timeoutsMs.get(before)).as("starts again after success").isEqualTo(10);
    task.stop();
    database.remove();
  }

  @Test
  void shouldRetryWhenItsConnectionIsTerminated() {
    var database = TestDatabase.empty();
    var context = new TaskContext(false);
    var task = TaskContext.start(database.taskConfig(), context);
    task.put(List.of(Records.row(message(1))));
    assertThat(
            database.query(
                "select pg_terminate_backend(pid, 10000) from pg_stat_activity "
                    + "where application_name = 'rondo-postgres-sink'"))
        .contains("t");
    assertThatThrownBy(() -> task.put(List.of(Records.row(message(2)))))
        .isInstanceOf(RetriableException.class);
    task.put(List.of(Records.row(message(2))));
    assertThat(database.query(ROWS)).containsExactly("1|{1}", "2|{2}");
    task.stop();
  }

  @Test
  void shouldLookUpBundlesAgainAfterFailure() {
    var database = TestDatabase.empty();
    var task = TaskContext.start(database.taskConfig(), new TaskContext(false));
    task.put(List.of(Records.row(message(1))));
    database.execute("truncate rra_bundle, ds, ts"); // the bundle comes back under another id
    task.put(List.of(Records.row(message(2))));
    assertThat(
            database.query(
                "select b.id, ts.i from ts join rra_bundle b on b.id = rra_bundle_id where "
                    + TestDatabase.HAS_SLOT))
        .containsExactly("2|2");
    task.stop();
  }

  @Test
  void shouldStartWhilePostgresIsAway() {
    var database = TestDatabase.ofItsOwn();
    database.stop();
    var context = new TaskContext(false);
    var task = TaskContext.start(database.taskConfig("retry.backoff.ms", "1"), context);
    List<SinkRecord> records =
        IntStream.rangeClosed(1, 3).mapToObj(i -> Records.row(message(i))).toList();
    assertThatThrownBy(() -> task.put(records)).isInstanceOf(RetriableException.class);
    database.startAgain();
    await().atMost(Duration.ofSeconds(30)).until(() -> stored(task, records));
    assertThat(database.query(ROWS)).hasSize(3);
    task.stop();
    database.remove();
  }

  @Test
  void shouldFailOnMissingTables() {
    var database = TestDatabase.empty();
    database.execute("create database bare");
    String bare = database.jdbcUrl().replace("/rondo?", "/bare?");
    shouldFail(Map.of("connection.url", bare), "[42P01]", "migrations", "connection.url");
    database.execute("drop database bare with (force)");
  }

  @Test
  void shouldFailOnMissingDatabase() {
    String url = TestDatabase.empty().jdbcUrl().replace("/rondo?", "/nowhere?");
    shouldFail(Map.of("connection.url", url), "[3D000]", "nowhere", "connection.url");
  }

  @Test
  void shouldFailOnUnknownUser() {
    String url = TestDatabase.empty().jdbcUrl().replace("user=rondo", "user=stranger");
    shouldFail(Map.of("connection.url", url), "[28000]", "stranger", "connection.user");
  }

  @Test
  void shouldFailOnMissingRights() {
    var database = TestDatabase.empty();
    database.execute("drop role if exists guest");
    database.execute("create role guest login");
    String url = database.jdbcUrl().replace("user=rondo", "user=guest");
    shouldFail(Map.of("connection.url", url), "[42501]", "grant", "connection.user");
  }

  private static void shouldFail(Map<String, String> config, String... words) {
    var task = TaskContext.start(config, new TaskContext(true));
    assertThatThrownBy(() -> task.put(List.of(Records.row(message(1)))))
        .isExactlyInstanceOf(ConnectException.class)
        .satisfies(e -> assertThat(e.getMessage()).contains(words));
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
    return new BundleRow(
        "p", "wmean", 10_000L, 1000, 200, 0.5, false, 65536, i, i * 10_000L, List.of((double) i));
  }
}
