package dev.rondo.connect.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.connect.postgres.config.ConnectKeys;
import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.connect.postgres.harness.TestDatabase;
import dev.rondo.connect.postgres.harness.TestKafka;
import dev.rondo.connect.postgres.harness.TestWorker;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.SeriesEntry;
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
  private static final String DEAD_LETTERS = "sink-dead-letters";

  private static TestDatabase database;
  private static TestKafka kafka;
  private static TestWorker worker;

  @BeforeAll
  static void start() throws Exception {
    database = TestDatabase.dedicated();
    kafka = TestKafka.shared();
    kafka.createTopics(2, Topics.SERIES.name(), Topics.BUNDLE_ROWS.name());
    kafka.createTopics(1, DEAD_LETTERS);
    worker = TestWorker.start("rondo-connect");
  }

  @AfterAll
  static void stop() {
    worker.close();
    database.remove();
  }

  @Test
  void shouldBringRowsFromKafkaToTheView() throws Exception {
    assertThat(worker.put("sink", config()).statusCode()).isEqualTo(201);
    await()
        .atMost(TestWorker.BOUND)
        .until(() -> worker.log().contains(ConnectKeys.ISOLATION_LEVEL + " is not read_committed"));

    kafka.produce(
        Topics.SERIES, "cpu;host=a", new SeriesEntry("cpu;host=a", "p", 0, 2, 5L, "", "", 0L));
    kafka.produce(
        Topics.SERIES, "cpu;host=b", new SeriesEntry("cpu;host=b", "p", 0, 1, 5L, "", "", 0L));
    produceRow(row(1, 1, 2));
    produceRow(row(2, Double.NaN, 4));
    produceRow(row(2, 3, Double.NaN));
    awaitView("a|10|2", "a|20|4", "b|10|1", "b|20|3");

    kafka.produce(Topics.SERIES, "cpu;host=a", null);
    awaitView("b|10|1", "b|20|3");

    produceRow(BundleRow.newBuilder(row(3, 1)).setCf("median").build());
    produceRow(row(4, 9));
    awaitView("b|10|1", "b|20|3", "b|40|9");
    await()
        .atMost(TestWorker.BOUND)
        .untilAsserted(() -> assertThat(kafka.records(DEAD_LETTERS)).isEqualTo(1));

    database.kill();
    produceRow(row(5, 7));
    await().atMost(TestWorker.BOUND).until(() -> worker.log().contains("retrying in"));
    database.startAgain();
    awaitView("b|10|1", "b|20|3", "b|40|9", "b|50|7");
    worker.awaitTasks("sink", 2);
  }

  private static Map<String, String> config() {
    return Map.of(
        "connector.class",
        PostgresSinkConnector.class.getName(),
        "tasks.max",
        "2",
        "topics",
        Topics.SERIES.name() + "," + Topics.BUNDLE_ROWS.name(),
        "key.converter",
        RondoConverter.class.getName(),
        "value.converter",
        RondoConverter.class.getName(),
        "connection.url",
        database.jdbcUrl(),
        "retry.backoff.max.ms",
        "500",
        "errors.tolerance",
        "all",
        "errors.deadletterqueue.topic.name",
        DEAD_LETTERS,
        "errors.deadletterqueue.topic.replication.factor",
        "1");
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
    kafka.produce(Topics.BUNDLE_ROWS, Records.key(row), row);
  }

  private static BundleRow row(int i, double... dp) {
    List<Double> values = Arrays.stream(dp).boxed().toList();
    return new BundleRow(
        "p", "wmean", 10_000L, 1000, 200, 0.5, false, "wmean", 0, i, i * 10_000L, values);
  }
}
