package dev.rondo.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.client.kafka.RondoMetricsReporter;
import dev.rondo.client.micrometer.RondoMeterRegistry;
import dev.rondo.embedded.TopologyProcess;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients in Java and Python, Micrometer, a Kafka producer and the topology, which is a Kafka
 * Streams application, publish to a keyed topic of a real broker; the topology stores their points.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClientIT {
  private static final Path PYTHON = Path.of("../../../query-api/.venv/bin/python");
  private static final Path PUBLISH = Path.of("../python/tests/publish.py");
  private static final Duration BOUND = Duration.ofMinutes(3);

  private static final String POLICIES =
      """
      policies:
        - {name: counts, match: '\\.count$', step: 1s, heartbeat: 0, aggregate: sum, archives: ["1s:1h:0"]}
        - {name: default, match: '.*', step: 1s, heartbeat: 1m, archives: ["1s:1h"]}
      """;
  private static final String SOURCES =
      """
      sources:
        - {topic: %s, format: native, keyed: true}
      """;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path dir;

  private final KafkaSpace kafka = TestBed.kafka();
  private final String points = kafka.source("points");
  private TopologyProcess topology;
  private StoredSlots stored;

  @BeforeAll
  void start() throws Exception {
    Path sources = Files.writeString(dir.resolve("sources.yaml"), SOURCES.formatted(points));
    topology =
        new TopologyProcess(dir, kafka.bootstrap())
            .set("rondo.prefix", kafka.prefix())
            .set("partitions", 4)
            .set("policies.file", Files.writeString(dir.resolve("policies.yaml"), POLICIES))
            .set("sources.file", sources)
            .set("sources.create", true)
            .set("streams.metric.reporters", RondoMetricsReporter.class.getName())
            .set("streams.rondo.client.topic", points)
            .set("streams.rondo.client.tags", "host=topology")
            .set("streams.rondo.client.step.ms", 1000)
            .set("streams.rondo.client.match", "^stream-metrics\\.alive-stream-threads");
    topology.start();
    stored = new StoredSlots(kafka);
  }

  @AfterAll
  void stop() {
    if (stored != null) {
      stored.close();
    }
    topology.close();
  }

  private Map<String, Object> settings(String prefix) {
    return Map.of(
        "bootstrap.servers",
        kafka.bootstrap(),
        "rondo.client.topic",
        points,
        "rondo.client.prefix",
        prefix,
        "rondo.client.tags",
        "host=web01",
        "rondo.client.step.ms",
        1000);
  }

  private void awaitStored(String ident, int slots) {
    await()
        .atMost(BOUND)
        .until(
            () -> {
              stored.poll();
              return stored.of(ident).size() >= slots;
            });
  }

  private void awaitSum(String ident, double sum) {
    await()
        .atMost(BOUND)
        .untilAsserted(
            () -> {
              stored.poll();
              assertThat(stored.sum(ident)).as(ident).isCloseTo(sum, offset(1e-6));
            });
  }

  @Test
  void shouldStoreEachEventOfJavaOnce() throws Exception {
    RondoClient client = new RondoClient(settings("java"));
    Counter orders = client.counter("orders", "dc", "ams");
    Timer pay = client.timer("pay");
    client.gauge("queue").set(7);
    client.gauge("threads", () -> 3);
    var registry = new RondoMeterRegistry(client);
    var returns = registry.counter("returns", "dc", "ams", "host", "hidden");
    registry.timer("ship").record(Duration.ofMillis(200));
    registry.gauge("stock", 5);
    for (int n = 0; n < 30; n++) {
      orders.add(2);
      pay.record(Duration.ofMillis(250));
      returns.increment();
    }
    awaitStored("java.queue;host=web01", 2);
    orders.add(3);
    returns.increment(2);
    registry.close();
    client.close();

    awaitSum("java.orders.count;dc=ams;host=web01", 63);
    awaitSum("java.orders.rate;dc=ams;host=web01", 63);
    awaitSum("java.pay.count;host=web01", 30);
    awaitSum("java.returns.count;dc=ams;host=web01", 32);
    awaitSum("java.ship.count;host=web01", 1);
    awaitSum("java.rondo_client.dropped.count;host=web01", 0);
    assertThat(stored.of("java.queue;host=web01").values()).containsOnly(7.0);
    assertThat(stored.of("java.threads;host=web01").values()).containsOnly(3.0);
    assertThat(stored.of("java.stock;host=web01").values()).containsOnly(5.0);
    assertThat(client.dropped()).isZero();
    assertThat(client.published()).isPositive();
    assertThat(topology.dropped("late")).isZero();
    assertThat(topology.dropped("duplicate-time")).isZero();
  }

  @Test
  void shouldStoreEachEventOfPythonOnce() throws Exception {
    assumeTrue(Files.exists(PYTHON), () -> "skipped: no " + PYTHON + "; ./rondo test makes it");
    var builder =
        new ProcessBuilder(PYTHON.toString(), PUBLISH.toString(), kafka.bootstrap(), points)
            .redirectErrorStream(true);
    builder.environment().put("PYTHONPATH", "../python/src");
    Process python = builder.start();
    try (BufferedReader output = python.inputReader(StandardCharsets.UTF_8)) {
      assertThat(output.readLine()).isEqualTo("begun");
      awaitStored("python.queue;host=web01", 2);
      python.getOutputStream().close(); // its line to read
      assertThat(output.readLine()).as("published and dropped").matches("[1-9]\\d* 0");
    } finally {
      python.destroyForcibly();
    }
    awaitSum("python.orders.count;dc=ams;host=web01", 63);
    awaitSum("python.orders.rate;dc=ams;host=web01", 63);
    awaitSum("python.pay.count;host=web01", 30);
    assertThat(stored.of("python.queue;host=web01").values()).containsOnly(7.0);
    assertThat(stored.of("python.threads;host=web01").values()).containsOnly(3.0);
  }

  @Test
  void shouldStoreTheMetricsOfAKafkaClient() throws Exception {
    var settings = new HashMap<>(settings("shop"));
    settings.put("client.id", "orders");
    settings.put("metric.reporters", RondoMetricsReporter.class.getName());
    settings.put("rondo.client.match", "^producer-metrics\\.record-send-total$");
    var serializer = new StringSerializer();
    try (var producer = new KafkaProducer<>(settings, serializer, serializer)) {
      for (int n = 0; n < 5; n++) {
        producer.send(new ProducerRecord<>(points, 0, null, "")).get(); // an empty one is no point
      }
      awaitNewest("shop.kafka.producer-metrics.record-send-total;client-id=orders;host=web01", 5);
    }
  }

  @Test
  void shouldStoreTheMetricsOfKafkaStreams() {
    awaitNewest("kafka.stream-metrics.alive-stream-threads;", 1);
  }

  private void awaitNewest(String prefix, double value) {
    await()
        .atMost(BOUND)
        .untilAsserted(
            () -> {
              stored.poll();
              assertThat(stored.newest(prefix)).as(prefix).contains(value);
            });
  }
}
