package dev.rondo.connect.postgres.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.connect.postgres.harness.TestDatabase;
import dev.rondo.connect.postgres.harness.TestKafka;
import dev.rondo.connect.postgres.harness.TestWorker;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.BundleRowKey;
import dev.rondo.schemas.RowArrival;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topic;
import dev.rondo.schemas.Topics;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What Prometheus reads from a real worker while the sink writes, rejects, fails and has an outage.
 */
@Timeout(300)
class SinkMetricsIT {
  private static final TestKafka KAFKA = new TestKafka();
  private static final Topic<String, SeriesEntry> SERIES =
      Topics.SERIES.named(KAFKA.name("series"));
  private static final Topic<BundleRowKey, BundleRow> ROWS =
      Topics.BUNDLE_ROWS.named(KAFKA.name("rows"));
  private static final String FRAIL_ROWS = KAFKA.name("frail-rows");
  private static final long STEP_MS = 10_000;
  private static final long HOUR_MS = 3_600_000;
  private static final String SINK = "connector=\"sink\"";
  private static final String STORED = "stage=\"stored\"";
  private static final long LAG_MS = 200_000;
  private static final String FRAIL = "connector=\"a, frail one\"";

  private static TestDatabase database;
  private static TestWorker worker;

  private final Set<String> seen = new HashSet<>();
  private final long end = System.currentTimeMillis() / STEP_MS * STEP_MS - 2 * STEP_MS;

  @BeforeAll
  static void start() throws Exception {
    database = TestDatabase.ofOwnServer();
    KAFKA.createTopics(1, SERIES.name(), FRAIL_ROWS);
    KAFKA.createTopics(2, ROWS.name());
    worker = TestWorker.shared();
  }

  @AfterAll
  static void stop() throws Exception {
    worker.deleteConnectors();
  }

  @Test
  void shouldShowWhatHappens() throws Exception {
    makeConnector("sink", 2, KAFKA.name("dead-letters"), SERIES.name(), ROWS.name());
    makeConnector("a, frail one", 1, "", FRAIL_ROWS);
    shouldCountRows();
    shouldReportRejectsAndFailures();
    shouldTellThatTheDiskIsFull();
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
    produce(SERIES, 0, "cpu;host=a", new SeriesEntry("cpu;host=a", "p", 0, 2, 5L, "", "", 0L));
    produceRow(0, row(STEP_MS, end, 1, 2, Double.NaN));
    produceRow(1, row(STEP_MS, end - STEP_MS, 1, Double.NaN, Double.NaN));
    produceRow(1, row(HOUR_MS, end / HOUR_MS * HOUR_MS + HOUR_MS, 4, 4, 4));
    awaitScrape(
        now -> {
          assertThat(now.sum("rondo_sink_rows_total", SINK)).isEqualTo(3);
          assertThat(now.sum("rondo_sink_values_total", SINK)).isEqualTo(6);
          assertThat(now.sum("rondo_sink_series_total", SINK)).isEqualTo(1);
          assertThat(now.sum("rondo_lag_seconds_le", SINK, STORED, "le=\"100.0\"")).isZero();
          assertThat(now.sum("rondo_lag_seconds_le", SINK, STORED, "le=\"300.0\"")).isEqualTo(6);
          assertThat(now.sum("rondo_lag_seconds_count", SINK, STORED, "source=\"points\""))
              .isEqualTo(6);
          assertThat(now.sum("rondo_lag_seconds_sum", SINK, STORED))
              .isGreaterThan(6 * LAG_MS / 1e3);
          assertThat(now.all("rondo_sink_last_put_age_seconds", SINK)).hasSize(2);
        });
    assertThat(database.query("select count(*) from ts where t > '-infinity'"))
        .containsExactly("3");
    awaitScrape( // the metrics of a put are not read at once
        now -> {
          assertThat(now.all("rondo_sink_lag_seconds", SINK)).hasSize(2);
          assertThat(now.min("rondo_sink_lag_seconds", SINK)).isGreaterThanOrEqualTo(20);
          assertThat(now.sum("rondo_sink_put_seconds_count", SINK))
              .isPositive()
              .isEqualTo(now.sum("rondo_sink_put_seconds_le", SINK, "le=\"+Inf\""));
          // a put without new rows has no transaction: it compares offsets after a rebalance
          assertThat(now.sum("rondo_sink_transactions_total", SINK)).isPositive();
          assertThat(now.sum("rondo_sink_put_seconds_sum", SINK)).isPositive();
          assertThat(now.sum("rondo_sink_connected", SINK)).isEqualTo(2);
          assertThat(now.sum("rondo_sink_connects_total", SINK)).isEqualTo(2);
          assertThat(now.sum("kafka_connect_task_status", SINK, "status=\"running\"")).isEqualTo(2);
        });
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

  private void shouldTellThatTheDiskIsFull() {
    database.execute(
        "create function full_disk() returns trigger language plpgsql as $$ begin"
            + " raise exception 'could not extend file \"base/1/2\", {full}' using errcode = '53100';"
            + " end $$");
    database.execute(
        "create trigger full_disk before insert or update on ts"
            + " for each row execute function full_disk()");
    produceRow(0, row(STEP_MS, end + STEP_MS, 1, 2, 3));
    awaitScrape(
        now ->
            assertThat(now.all("rondo_sink_retry_error", SINK))
                .singleElement()
                .asString()
                .contains(
                    "answers [53100] ERROR: could not extend file \\\"base/1/2\\\", {full}",
                    "; free disk space on the server"));
    database.execute("drop function full_disk cascade");
    awaitScrape(now -> assertThat(now.all("rondo_sink_retry_error", SINK)).isEmpty());
  }

  private void shouldReportAnOutage() {
    double lag = scrape().min("rondo_sink_lag_seconds", SINK);
    database.kill();
    produceRow(0, row(STEP_MS, end + 2 * STEP_MS, 1, 2, 3));
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
          assertThat(now.sum("rondo_sink_rows_total", SINK)).isEqualTo(8);
          assertThat(now.sum("rondo_lag_waiting_seconds", SINK)).isZero();
          assertThat(now.sum("rondo_sink_retrying", SINK)).isZero();
          assertThat(now.sum("rondo_sink_retrying_seconds", SINK)).isZero();
          assertThat(now.sum("rondo_sink_connected", SINK)).isEqualTo(2);
          assertThat(now.max("rondo_sink_lag_seconds", SINK))
              .isLessThanOrEqualTo((System.currentTimeMillis() - fresh) / 1e3);
        });
  }

  private void shouldForgetWhatEnds() throws Exception {
    worker.post("/connectors/sink/restart?includeTasks=true");
    awaitScrape(
        now -> {
          assertThat(now.all("rondo_sink_rows_total", SINK)).hasSize(2);
          assertThat(now.sum("rondo_sink_rows_total", SINK)).isZero();
        });
    worker.delete("sink");
    awaitScrape(now -> assertThat(now.all("rondo_sink_rows_total", SINK)).isEmpty());
  }

  private void awaitScrape(Consumer<Scrape> expected) {
    await().untilAsserted(() -> expected.accept(scrape()));
  }

  private Scrape scrape() {
    Scrape now = Scrape.of(worker.metricsUrl());
    seen.addAll(now.names());
    return now;
  }

  /**
   * @param deadLetters topic; empty: a record that cannot be stored ends the task
   */
  private static void makeConnector(String name, int tasks, String deadLetters, String... topics)
      throws Exception {
    Map<String, String> config = TestWorker.sinkConfig(database.jdbcUrl(), tasks, topics);
    config.put("retry.backoff.max.ms", "500");
    config.put("errors.tolerance", deadLetters.isEmpty() ? "none" : "all");
    config.put("errors.deadletterqueue.topic.name", deadLetters);
    config.put("errors.deadletterqueue.topic.replication.factor", "1");
    var made = worker.put(name, config);
    assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
  }

  private static void produceRow(int partition, BundleRow row) {
    produce(ROWS, partition, Records.key(row), row);
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
    var record = new ProducerRecord<>(topic, partition, key, value);
    record.headers().add(RowArrival.HEADER, arrived.getBytes(StandardCharsets.UTF_8));
    KAFKA.produce(record);
  }

  private static BundleRow row(long stepMs, long endMs, double... dp) {
    List<Double> values = Arrays.stream(dp).boxed().toList();
    int i = (int) (endMs / stepMs % 1000);
    return new BundleRow("p", "wmean", stepMs, 1000, 200, 0.5, false, "wmean", 0, i, endMs, values);
  }
}
