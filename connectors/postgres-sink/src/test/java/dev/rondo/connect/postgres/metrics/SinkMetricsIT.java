package dev.rondo.connect.postgres.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.connect.postgres.PostgresSinkConnector;
import dev.rondo.connect.postgres.RondoConverter;
import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.connect.postgres.harness.TestDatabase;
import dev.rondo.embedded.ConnectWorker;
import dev.rondo.embedded.FreePort;
import dev.rondo.embedded.JmxExporter;
import dev.rondo.embedded.KafkaBroker;
import dev.rondo.embedded.Launch;
import dev.rondo.embedded.NewTopics;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.RowArrival;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topic;
import dev.rondo.schemas.Topics;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What Prometheus reads from a real worker while the sink writes, rejects, fails and has an outage.
 */
@Timeout(300)
class SinkMetricsIT {
  private static final Path PLUGINS = Path.of("target", "plugin").toAbsolutePath();
  private static final Path AGENT = Path.of("target/jmx-exporter/jmx_prometheus_javaagent.jar");
  private static final String DEAD_LETTERS = "sink-dead-letters";
  private static final String FRAIL_ROWS = "frail-rows";
  private static final Duration BOUND = Duration.ofSeconds(90);
  private static final long STEP_MS = 10_000;
  private static final long HOUR_MS = 3_600_000;
  private static final String SINK = "connector=\"sink\"";
  private static final String STORED = "stage=\"stored\"";
  private static final long LAG_MS = 200_000;
  private static final String FRAIL = "connector=\"a, frail one\"";

  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static TestDatabase database;
  private static KafkaBroker broker;
  private static ConnectWorker worker;
  private static String metricsUrl;

  private final Set<String> seen = new HashSet<>();
  private final long end = System.currentTimeMillis() / STEP_MS * STEP_MS - 2 * STEP_MS;

  @BeforeAll
  static void start() throws Exception {
    database = TestDatabase.dedicated();
    Path dir = Files.createTempDirectory(Path.of("target", "it").toAbsolutePath(), "metrics-");
    broker = KafkaBroker.start(dir.resolve("kafka"), 0);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
      NewTopics.create(
          admin,
          List.of(
              new NewTopic(Topics.SERIES.name(), 1, (short) 1).configs(Topics.SERIES.configs()),
              new NewTopic(Topics.BUNDLE_ROWS.name(), 2, (short) 1)
                  .configs(Topics.BUNDLE_ROWS.configs()),
              new NewTopic(FRAIL_ROWS, 1, (short) 1)));
    }
    var exporter = new JmxExporter(AGENT, Monitoring.RULES, FreePort.choose());
    metricsUrl = exporter.url();
    worker =
        ConnectWorker.start(
            dir.resolve("connect"),
            0,
            broker.bootstrap(),
            PLUGINS,
            Launch.to(dir.resolve("connect.log")),
            ConnectWorker.DEFAULT_HEAP,
            exporter.options());
  }

  @AfterAll
  static void stop() {
    worker.close();
    broker.close();
    database.remove();
  }

  @Test
  void shouldShowWhatHappens() throws Exception {
    makeConnector("sink", 2, DEAD_LETTERS, Topics.SERIES.name(), Topics.BUNDLE_ROWS.name());
    makeConnector("a,%20frail%20one", 1, "", FRAIL_ROWS);
    shouldCountRows();
    shouldReportRejectsAndFailures();
    shouldReportAnOutage();
    assertThat(seen).containsAll(Monitoring.ruleNames()).containsAll(Monitoring.alertMetrics());
    shouldForgetWhatEnds();
  }

  /** An hour's slot that is still open does not count for the lag. */
  private void shouldCountRows() {
    awaitScrape( // otherwise one of them would get all partitions
        now -> {
          assertThat(now.all("kafka_connect_sink_partitions", SINK)).hasSize(2);
          assertThat(now.min("kafka_connect_sink_partitions", SINK)).isPositive();
        });
    produce(
        Topics.SERIES, 0, "cpu;host=a", new SeriesEntry("cpu;host=a", "p", 0, 2, 5L, "", "", 0L));
    produceRow(0, row(STEP_MS, end, 1, 2, Double.NaN));
    produceRow(1, row(STEP_MS, end - STEP_MS, 1, Double.NaN, Double.NaN));
    produceRow(1, row(HOUR_MS, end / HOUR_MS * HOUR_MS + HOUR_MS, 4, 4, 4));
    awaitScrape(
        now -> {
          assertThat(now.sum("rondo_sink_rows_total", SINK)).isEqualTo(3);
          assertThat(now.sum("rondo_sink_values_total", SINK)).isEqualTo(6);
          assertThat(now.sum("rondo_sink_series_total", SINK)).isEqualTo(1);
          assertThat(now.sum("rondo_lag_seconds_bucket", SINK, STORED, "le=\"100.0\"")).isZero();
          assertThat(now.sum("rondo_lag_seconds_bucket", SINK, STORED, "le=\"300.0\""))
              .isEqualTo(6);
          assertThat(now.sum("rondo_lag_seconds_count", SINK, STORED, "source=\"points\""))
              .isEqualTo(6);
          assertThat(now.sum("rondo_lag_seconds_sum", SINK, STORED))
              .isGreaterThan(6 * LAG_MS / 1e3);
          assertThat(now.all("rondo_sink_last_put_age_seconds", SINK)).hasSize(2);
        });
    assertThat(database.query("select count(*) from ts where t > '-infinity'"))
        .containsExactly("3");
    Scrape now = scrape();
    assertThat(now.all("rondo_sink_lag_seconds", SINK)).hasSize(2);
    assertThat(now.min("rondo_sink_lag_seconds", SINK)).isGreaterThanOrEqualTo(20);
    assertThat(now.sum("rondo_sink_put_seconds_count", SINK))
        .isPositive()
        .isEqualTo(now.sum("rondo_sink_put_seconds_bucket", SINK, "le=\"+Inf\""))
        .isEqualTo(now.sum("rondo_sink_transactions_total", SINK));
    assertThat(now.sum("rondo_sink_put_seconds_sum", SINK)).isPositive();
    assertThat(now.sum("rondo_sink_connected", SINK)).isEqualTo(2);
    assertThat(now.sum("rondo_sink_connects_total", SINK)).isEqualTo(2);
    assertThat(now.sum("kafka_connect_task_status", SINK, "status=\"running\"")).isEqualTo(2);
  }

  private void shouldReportRejectsAndFailures() {
    produceRow(1, BundleRow.newBuilder(row(STEP_MS, end, 1)).setCf("median").build());
    send(FRAIL_ROWS, 0, new byte[] {1}, new byte[] {2});
    awaitScrape(
        now -> {
          assertThat(now.sum("rondo_sink_rejected_records_total", SINK)).isEqualTo(1);
          assertThat(now.sum("kafka_connect_dead_letter_requests_total", SINK)).isEqualTo(1);
          assertThat(now.sum("kafka_connect_task_status", FRAIL, "status=\"failed\"")).isEqualTo(1);
          assertThat(now.all("rondo_sink_rows_total", FRAIL)).isEmpty();
        });
  }

  private void shouldReportAnOutage() {
    double lag = scrape().min("rondo_sink_lag_seconds", SINK);
    database.kill();
    produceRow(0, row(STEP_MS, end + STEP_MS, 1, 2, 3));
    produceRow(1, row(STEP_MS, end + STEP_MS, 1, 2, 3));
    awaitScrape(
        now -> {
          assertThat(now.min("rondo_lag_waiting_seconds", SINK)).isGreaterThan(2);
          assertThat(now.sum("rondo_sink_retries_total", SINK, "sqlstate=\"08")).isPositive();
          assertThat(now.sum("rondo_sink_retrying", SINK)).isEqualTo(2);
          assertThat(now.min("rondo_sink_retrying_seconds", SINK)).isPositive();
          assertThat(now.sum("rondo_sink_connected", SINK)).isZero();
          assertThat(now.min("rondo_sink_lag_seconds", SINK)).isGreaterThan(lag + 1);
        });
    database.startAgain();
    long fresh = System.currentTimeMillis() / STEP_MS * STEP_MS;
    produceRow(0, row(STEP_MS, fresh, 1, 2, 3));
    produceRow(1, row(STEP_MS, fresh, 1, 2, 3));
    awaitScrape(
        now -> {
          assertThat(now.sum("rondo_sink_rows_total", SINK)).isEqualTo(7);
          assertThat(now.sum("rondo_lag_waiting_seconds", SINK)).isZero();
          assertThat(now.sum("rondo_sink_retrying", SINK)).isZero();
          assertThat(now.sum("rondo_sink_retrying_seconds", SINK)).isZero();
          assertThat(now.sum("rondo_sink_connected", SINK)).isEqualTo(2);
          assertThat(now.max("rondo_sink_lag_seconds", SINK))
              .isLessThanOrEqualTo((System.currentTimeMillis() - fresh) / 1e3);
        });
  }

  private void shouldForgetWhatEnds() throws Exception {
    request("POST", "/connectors/sink/restart?includeTasks=true", "");
    awaitScrape(
        now -> {
          assertThat(now.all("rondo_sink_rows_total", SINK)).hasSize(2);
          assertThat(now.sum("rondo_sink_rows_total", SINK)).isZero();
        });
    request("DELETE", "/connectors/sink", "");
    awaitScrape(now -> assertThat(now.all("rondo_sink_rows_total")).isEmpty());
  }

  private void awaitScrape(Consumer<Scrape> expected) {
    await().atMost(BOUND).untilAsserted(() -> expected.accept(scrape()));
  }

  private Scrape scrape() {
    Scrape now = Scrape.of(metricsUrl);
    seen.addAll(now.names());
    return now;
  }

  /**
   * @param deadLetters topic; empty: a record that cannot be stored ends the task
   */
  private static void makeConnector(String path, int tasks, String deadLetters, String... topics)
      throws Exception {
    String converter = RondoConverter.class.getName();
    String config =
        """
        {"connector.class": "%s", "tasks.max": "%d", "topics": "%s", "connection.url": "%s",
         "key.converter": "%s", "value.converter": "%s", "retry.backoff.max.ms": "500",
         "errors.tolerance": "%s", "errors.deadletterqueue.topic.name": "%s",
         "errors.deadletterqueue.topic.replication.factor": "1"}
        """
            .formatted(
                PostgresSinkConnector.class.getName(),
                tasks,
                String.join(",", topics),
                database.jdbcUrl(),
                converter,
                converter,
                deadLetters.isEmpty() ? "none" : "all",
                deadLetters);
    request("PUT", "/connectors/" + path + "/config", config);
  }

  private static void produceRow(int partition, BundleRow row) {
    produce(Topics.BUNDLE_ROWS, partition, Records.key(row), row);
  }

  private static <K, V> void produce(Topic<K, V> topic, int partition, K key, V value) {
    send(
        topic.name(),
        partition,
        topic.keySerde().serializer().serialize(topic.name(), key),
        topic.valueSerde().serializer().serialize(topic.name(), value));
  }

  /** The points of all rows arrived at the same time. */
  private static void send(String topic, int partition, byte[] key, byte[] value) {
    String arrived = new RowArrival(System.currentTimeMillis() - LAG_MS, "points").toText();
    Map<String, Object> config = Map.of("bootstrap.servers", broker.bootstrap());
    var bytes = new ByteArraySerializer();
    try (var producer = new KafkaProducer<>(config, bytes, bytes)) {
      var record = new ProducerRecord<>(topic, partition, key, value);
      record.headers().add(RowArrival.HEADER, arrived.getBytes(StandardCharsets.UTF_8));
      producer.send(record).get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  private static void request(String method, String path, String body) throws Exception {
    var answer =
        HTTP.send(
            HttpRequest.newBuilder(URI.create(worker.url() + path))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
  }

  private static BundleRow row(long stepMs, long endMs, double... dp) {
    List<Double> values = Arrays.stream(dp).boxed().toList();
    int i = (int) (endMs / stepMs % 1000);
    return new BundleRow("p", "wmean", stepMs, 1000, 200, 0.5, false, "wmean", 0, i, endMs, values);
  }
}
