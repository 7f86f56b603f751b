package dev.rondo.connect.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.ConnectWorker;
import dev.rondo.embedded.KafkaBroker;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topic;
import dev.rondo.schemas.Topics;
import java.io.File;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
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
  private static final Path PLUGINS = Path.of("target", "plugin").toAbsolutePath();
  private static final String DEAD_LETTERS = "sink-dead-letters";
  private static final Duration BOUND = Duration.ofSeconds(90);

  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static Path dir;
  private static TestDatabase database;
  private static KafkaBroker broker;
  private static ConnectWorker worker;

  @BeforeAll
  static void start() throws Exception {
    database = TestDatabase.ofItsOwn();
    dir = Files.createTempDirectory(Path.of("target", "it").toAbsolutePath(), "connect-");
    broker = KafkaBroker.start(dir.resolve("kafka"), 0);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
      admin
          .createTopics(
              List.of(
                  new NewTopic(Topics.SERIES.name(), 2, (short) 1).configs(Topics.SERIES.configs()),
                  new NewTopic(Topics.BUNDLE_ROWS.name(), 2, (short) 1)
                      .configs(Topics.BUNDLE_ROWS.configs()),
                  new NewTopic(DEAD_LETTERS, 1, (short) 1)))
          .all()
          .get();
    }
    worker = startWithKafkaOnly(dir.resolve("connect"));
  }

  @AfterAll
  static void stop() {
    worker.close();
    broker.close();
    database.remove();
  }

  @Test
  void shouldBringRowsFromKafkaToTheView() throws Exception {
    assertThat(get("/connector-plugins"))
        .contains("\"class\":\"%s\"".formatted(PostgresSinkConnector.class.getName()))
        .contains("\"version\":\"0.1");

    assertThat(create(connector("jdbc:mysql://db/rondo")).body())
        .contains("connection.url", "jdbc:mysql://db/rondo");
    assertThat(create(connector(database.jdbcUrl())).statusCode()).isEqualTo(201);

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
    await()
        .atMost(BOUND)
        .until(() -> Files.readString(dir.resolve("connect/connect.log")).contains("again in"));
    database.startAgain();
    awaitView("b|10|1", "b|20|3", "b|40|9", "b|50|7");
    assertThat(get("/connectors/sink/status")).contains("RUNNING").doesNotContain("FAILED");
  }

  /**
   * The class path of the worker is cut to what is not ours: what the sink needs besides Kafka's
   * jars, the plugin directory has to bring.
   */
  private static ConnectWorker startWithKafkaOnly(Path dir) {
    String whole = System.getProperty("java.class.path");
    System.setProperty(
        "java.class.path",
        Arrays.stream(whole.split(File.pathSeparator))
            .filter(
                entry ->
                    !entry.matches(
                        ".*(postgres-sink|rondo-schemas|schemas/target|/avro|postgresql).*"))
            .collect(Collectors.joining(File.pathSeparator)));
    try {
      return ConnectWorker.start(dir, 0, broker.bootstrap(), PLUGINS);
    } finally {
      System.setProperty("java.class.path", whole);
    }
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
    Map<String, Object> config = Map.of("bootstrap.servers", broker.bootstrap());
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
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
      return admin
          .listOffsets(Map.of(partition, OffsetSpec.latest()))
          .partitionResult(partition)
          .get()
          .offset();
    }
  }

  private static String get(String path) throws Exception {
    return HTTP.send(
            HttpRequest.newBuilder(URI.create(worker.url() + path)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private static HttpResponse<String> create(String json) throws Exception {
    return HTTP.send(
        HttpRequest.newBuilder(URI.create(worker.url() + "/connectors"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static BundleRow row(int i, double... dp) {
    List<Double> values = Arrays.stream(dp).boxed().toList();
    return new BundleRow("p", "wmean", 10_000L, 1000, 200, 0.5, false, 0, i, i * 10_000L, values);
  }
}
