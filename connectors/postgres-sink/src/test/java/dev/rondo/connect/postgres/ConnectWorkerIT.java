package dev.rondo.connect.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topic;
import dev.rondo.schemas.Topics;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The plugin as it is packaged, in a worker of its own, from a real broker to PostgreSQL. */
@Timeout(300)
class ConnectWorkerIT {
  private static final String DEAD_LETTERS = "sink-dead-letters";
  private static final Duration BOUND = Duration.ofSeconds(90);

  private static TestDatabase database;
  private static ConnectRig rig;

  @BeforeAll
  static void start() throws Exception {
    database = TestDatabase.ofItsOwn();
    rig = ConnectRig.shared();
    rig.createTopics(
        new NewTopic(Topics.SERIES.name(), 2, (short) 1).configs(Topics.SERIES.configs()),
        new NewTopic(Topics.BUNDLE_ROWS.name(), 2, (short) 1).configs(Topics.BUNDLE_ROWS.configs()),
        new NewTopic(DEAD_LETTERS, 1, (short) 1));
  }

  @AfterAll
  static void stop() throws Exception {
    rig.delete("/connectors/sink");
    database.remove();
  }

  @Test
  void shouldBringRowsFromKafkaToTheView() throws Exception {
    assertThat(rig.get("/connector-plugins").body())
        .contains("\"class\":\"%s\"".formatted(PostgresSinkConnector.class.getName()))
        .contains("\"version\":\"0.1");

    assertThat(rig.post("/connectors", connector("jdbc:mysql://db/rondo")).body())
        .contains("connection.url", "jdbc:mysql://db/rondo");
    assertThat(rig.post("/connectors", connector(database.jdbcUrl())).statusCode()).isEqualTo(201);

    produce(Topics.SERIES, "cpu;host=a", new SeriesEntry("cpu;host=a", "p", 0, 2, 5L));
    produce(Topics.SERIES, "cpu;host=b", new SeriesEntry("cpu;host=b", "p", 0, 1, 5L));
    produceRow(row(1, 1, 2));
    produceRow(row(2, Double.NaN, 4));
    produceRow(row(2, 3, Double.NaN));
    awaitView("a|10|2", "a|20|4", "b|10|1", "b|20|3");

    produce(Topics.SERIES, "cpu;host=a", null);
    awaitView("b|10|1", "b|20|3");

    produceRow(BundleRow.newBuilder(row(3, 1)).setCf("median").build());
    produceRow(row(4, 9));
    awaitView("b|10|1", "b|20|3", "b|40|9");
    await().atMost(BOUND).untilAsserted(() -> assertThat(deadLetters()).isEqualTo(1));

    database.kill();
    produceRow(row(5, 7));
    await().atMost(BOUND).until(() -> rig.log().contains("again in"));
    database.startAgain();
    awaitView("b|10|1", "b|20|3", "b|40|9", "b|50|7");
    assertThat(rig.get("/connectors/sink/status").body())
        .contains("RUNNING")
        .doesNotContain("FAILED");
  }

  private static String connector(String url) {
    String converter = RondoConverter.class.getName();
    return """
        {"name": "sink", "config": {
          "connector.class": "%s", "tasks.max": "2", "topics": "%s,%s",
          "key.converter": "%s", "value.converter": "%s", "connection.url": "%s",
          "consumer.override.isolation.level": "read_committed",
          "retry.backoff.max.ms": "500",
          "errors.tolerance": "all",
          "errors.deadletterqueue.topic.name": "%s",
          "errors.deadletterqueue.topic.replication.factor": "1",
          "errors.deadletterqueue.context.headers.enable": "true"}}
        """
        .formatted(
            PostgresSinkConnector.class.getName(),
            Topics.SERIES.name(),
            Topics.BUNDLE_ROWS.name(),
            converter,
            converter,
            url,
            DEAD_LETTERS);
  }

  private static void awaitView(String... rows) {
    String view =
        "select ident ->> 'host', extract(epoch from t)::bigint, r from ds "
            + "join tv on tv.ds_id = ds.id where r is not null order by 1, 2";
    await()
        .atMost(BOUND)
        .untilAsserted(() -> assertThat(database.query(view)).containsExactly(rows));
  }

  private static void produceRow(BundleRow row) {
    produce(Topics.BUNDLE_ROWS, Records.key(row), row);
  }

  private static <K, V> void produce(Topic<K, V> topic, K key, V value) {
    Map<String, Object> config = Map.of("bootstrap.servers", rig.bootstrap());
    try (var producer =
        new KafkaProducer<>(
            config, topic.keySerde().serializer(), topic.valueSerde().serializer())) {
      producer.send(new ProducerRecord<>(topic.name(), key, value)).get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  private static long deadLetters() throws Exception {
    var partition = new TopicPartition(DEAD_LETTERS, 0);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", rig.bootstrap()))) {
      return admin
          .listOffsets(Map.of(partition, OffsetSpec.latest()))
          .partitionResult(partition)
          .get()
          .offset();
    }
  }

  private static BundleRow row(int i, double... dp) {
    List<Double> values = Arrays.stream(dp).boxed().toList();
    return new BundleRow("p", "wmean", 10_000L, 1000, 200, 0.5, false, 0, i, i * 10_000L, values);
  }
}
