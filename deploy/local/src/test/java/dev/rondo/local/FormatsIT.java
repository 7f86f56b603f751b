package dev.rondo.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every format from end to end: what its real producers have sent goes to a topic, and each value
 * comes out of /render. Points lie years back and apart, so slots are set as Whisper sets them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FormatsIT {
  private static final Duration VISIBLE_BOUND = Duration.ofMinutes(1);
  private static final long STEP_MS = 10_000;
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Series whose text a target may hold as it is. */
  private static final Pattern TARGET = Pattern.compile("[\\w.;=:/-]+");

  private static final String POLICIES =
      """
      policies:
        - {name: years, match: '.*', step: 10s, heartbeat: 0, archives: ["10s:20y"]}
      """;

  /**
   * What a topic is sent, and what comes of it.
   *
   * @param topic also the first node of all its series
   * @param settings of its source
   * @param record file of the golden ones: the record's bytes
   * @param points file of the points that it holds: ident, value, epoch ms
   */
  private record Sent(String topic, String settings, String record, String points) {
    @Override
    public String toString() {
      return topic;
    }
  }

  private static List<Sent> all() {
    return List.of(
        new Sent(
            "json-telegraf", "format: json", "json/telegraf-batch.json", "json/telegraf-batch.txt"),
        new Sent(
            "json-nanoseconds",
            "format: json, dialect: telegraf, time.unit: ns",
            "json/telegraf-batch-ns.json",
            "json/telegraf-batch-ns.txt"),
        new Sent(
            "json-collectd",
            "format: json, dialect: collectd",
            "json/collectd.json",
            "json/collectd.txt"),
        new Sent("json-lines", "format: auto", "json/jsonline.json", "json/jsonline.txt"),
        new Sent("json-opentsdb", "format: auto", "json/opentsdb.json", "json/opentsdb.txt"),
        new Sent("json-plain", "format: json, keyed: true", "json/plain.json", "json/plain.txt"),
        new Sent(
            "json-adapter",
            "format: json",
            "json/prometheus-adapter.json",
            "json/prometheus-adapter.txt"),
        new Sent("json-vector", "format: json", "json/vector.json", "json/vector.txt"),
        new Sent("otlp-protobuf", "format: otlp", "otlp/cumulative.bin", "otlp/cumulative.txt"),
        new Sent("otlp-json", "format: auto", "otlp/delta.json", "otlp/delta.txt"),
        new Sent(
            "prometheus-snappy",
            "format: prometheus",
            "prometheus/write-request.snappy",
            "prometheus/points.txt"),
        new Sent(
            "prometheus-plain",
            "format: auto",
            "prometheus/write-request.plain",
            "prometheus/points.txt"));
  }

  @TempDir static Path temporary;
  private final Path golden =
      Path.of(
          System.getProperty("rondo.root"),
          "topology/src/test/resources/dev/rondo/topology/format");
  private RondoScript rondo;
  private Path dir;
  private JsonNode status;

  @BeforeAll
  void up() throws Exception {
    dir = temporary.resolve("data");
    rondo = new RondoScript(dir);
    StringBuilder sources = new StringBuilder("sources:\n");
    for (Sent sent : all()) {
      sources.append(
          "  - {topic: %s, prefix: %s, %s}%n"
              .formatted(sent.topic(), sent.topic(), sent.settings()));
    }
    var up =
        rondo.run(
            "up",
            "--detach",
            "--no-host-metrics",
            "--policies=" + Files.writeString(temporary.resolve("policies.yaml"), POLICIES),
            "--sources=" + Files.writeString(temporary.resolve("sources.yaml"), sources),
            "--kafka-port=0",
            "--postgres-port=0",
            "--connect-port=0",
            "--api-port=0",
            "--topology-port=0");
    assertThat(up.exitCode()).as(up.output()).isZero();
    status = rondo.status();
    try (var producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", status.get("kafka").asText()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (Sent sent : all()) {
        byte[] bytes = Files.readAllBytes(golden.resolve(sent.record()));
        producer.send(new ProducerRecord<>(sent.topic(), bytes)).get();
      }
    }
  }

  @AfterAll
  void down() throws Exception {
    if (Files.exists(dir.resolve("rondo.json"))) {
      rondo.run("down");
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void shouldRenderWhatTheProducerHasSent(Sent sent) throws Exception {
    Map<String, Map<Long, Double>> expected = slots(sent);
    assertThat(expected).isNotEmpty();
    for (var series : expected.entrySet()) {
      await()
          .atMost(VISIBLE_BOUND)
          .pollInterval(Duration.ofMillis(250))
          .untilAsserted(() -> assertRendered(series.getKey(), series.getValue()));
    }
  }

  /** The last value of each slot, by series and by the slot's beginning in epoch seconds. */
  private Map<String, Map<Long, Double>> slots(Sent sent) throws IOException {
    Map<String, Map<Long, Double>> slots = new HashMap<>();
    for (String line : Files.readAllLines(golden.resolve(sent.points()))) {
      String[] fields = line.split(" ", -1);
      if (line.startsWith("!") || !TARGET.matcher(fields[0]).matches()) {
        continue;
      }
      double value = Double.parseDouble(fields[1]);
      if (Double.isFinite(value)) {
        long beginMs = Long.parseLong(fields[2]) / STEP_MS * STEP_MS;
        slots
            .computeIfAbsent(sent.topic() + "." + fields[0], ident -> new TreeMap<>())
            .put(beginMs / 1000, value);
      }
    }
    return slots;
  }

  private void assertRendered(String series, Map<Long, Double> slots) throws Exception {
    for (var slot : slots.entrySet()) {
      long begin = slot.getKey();
      JsonNode rendered =
          JSON.readTree(
              HttpProbe.get(
                  "%s/render?format=json&target=%s&from=%d&until=%d"
                      .formatted(
                          status.get("api").asText(),
                          URLEncoder.encode(series, UTF_8),
                          begin - 60,
                          begin + 60)));
      List<Double> values = new ArrayList<>();
      for (JsonNode point : rendered.path(0).path("datapoints")) {
        if (point.get(1).asLong() == begin) {
          values.add(point.get(0).asDouble(Double.NaN));
        }
      }
      assertThat(values).as("%s at %d: %s", series, begin, rendered).hasSize(1);
      assertThat(values.get(0)).as(series).isCloseTo(slot.getValue(), offset(1e-9));
    }
  }
}
