package dev.rondo.connect.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.connect.postgres.config.ConnectKeys;
import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.connect.postgres.harness.TestDatabase;
import dev.rondo.connect.postgres.harness.TestKafka;
import dev.rondo.connect.postgres.harness.TestWorker;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.BundleRowKey;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topic;
import dev.rondo.schemas.Topics;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** From a real broker to PostgreSQL, which is killed, with the plugin in a separate worker. */
@Timeout(300)
class ConnectWorkerIT {
  private static final TestKafka KAFKA = new TestKafka();
  private static final String SINK = KAFKA.name("sink");
  private static final String DEAD_LETTERS = KAFKA.name("dead-letters");
  private static final Topic<String, SeriesEntry> SERIES =
      Topics.SERIES.named(KAFKA.name("series"));
  private static final Topic<BundleRowKey, BundleRow> ROWS =
      Topics.BUNDLE_ROWS.named(KAFKA.name("rows"));

  private static TestDatabase database;
  private static TestWorker worker;

  @BeforeAll
  static void start() throws Exception {
    database = TestDatabase.ofOwnServer();
    KAFKA.createTopics(2, SERIES.name(), ROWS.name());
    KAFKA.createTopics(1, DEAD_LETTERS);
    worker = TestWorker.shared();
  }

  @AfterAll
  static void stop() throws Exception {
    worker.deleteConnectors();
  }

  @Test
  void shouldBringRowsFromKafkaToTheView() throws Exception {
    awaitLog(
        () -> assertThat(worker.put(SINK, config()).statusCode()).isEqualTo(201),
        ConnectKeys.ISOLATION_LEVEL + " is not read_committed");

    KAFKA.produce(SERIES, "cpu;host=a", new SeriesEntry("cpu;host=a", "p", 0, 2, 5L, "", "", 0L));
    KAFKA.produce(SERIES, "cpu;host=b", new SeriesEntry("cpu;host=b", "p", 0, 1, 5L, "", "", 0L));
    produceRow(row(1, 1, 2));
    produceRow(row(2, Double.NaN, 4));
    produceRow(row(2, 3, Double.NaN));
    awaitView("a|10|2", "a|20|4", "b|10|1", "b|20|3");

    KAFKA.produce(SERIES, "cpu;host=a", null);
    awaitView("b|10|1", "b|20|3");

    produceRow(BundleRow.newBuilder(row(3, 1)).setCf("median").build());
    produceRow(row(4, 9));
    awaitView("b|10|1", "b|20|3", "b|40|9");
    await()
        .atMost(TestWorker.BOUND)
        .untilAsserted(() -> assertThat(KAFKA.records(DEAD_LETTERS)).isEqualTo(1));

    database.kill();
    awaitLog(() -> produceRow(row(5, 7)), "retrying in");
    database.startAgain();
    awaitView("b|10|1", "b|20|3", "b|40|9", "b|50|7");
    worker.awaitTasks(SINK, 2);
  }

  private interface Action {
    void run() throws Exception;
  }

  /** Waits until the worker has logged {@code words} because of {@code action}. */
  private static void awaitLog(Action action, String words) throws Exception {
    int before = worker.log().length();
    action.run();
    await(words)
        .atMost(TestWorker.BOUND)
        .until(() -> worker.log().substring(before).contains(words));
  }

  private static Map<String, String> config() {
    Map<String, String> config =
        TestWorker.sinkConfig(database.jdbcUrl(), 2, SERIES.name(), ROWS.name());
    config.put("retry.backoff.max.ms", "500");
    config.put("errors.tolerance", "all");
    config.put("errors.deadletterqueue.topic.name", DEAD_LETTERS);
    config.put("errors.deadletterqueue.topic.replication.factor", "1");
    return config;
  }

  private static void awaitView(String... rows) {
    String view =
        "select ident ->> 'host', extract(epoch from t)::bigint, r from ds "
            + "join tv on tv.ds_id = ds.id where r is not null order by 1, 2";
    await()
        .atMost(TestWorker.BOUND)
        .untilAsserted(() -> assertThat(database.query(view)).containsExactly(rows));
  }

  private static void produceRow(BundleRow row) {
    KAFKA.produce(ROWS, Records.key(row), row);
  }

  private static BundleRow row(int i, double... dp) {
    List<Double> values = Arrays.stream(dp).boxed().toList();
    return new BundleRow(
        "p", "wmean", 10_000L, 1000, 200, 0.5, false, "wmean", 0, i, i * 10_000L, values);
  }
}
