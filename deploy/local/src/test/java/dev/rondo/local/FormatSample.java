package dev.rondo.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.schemas.PointBatchWriter;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
  private static final Duration VISIBLE_BOUND = Duration.ofMinutes(2);
  private static final long STEP_MS = 10_000;

  /** Times before are seconds. */
  private static final long FIRST_MS = 100_000_000_000L;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  /** Of a series whose text a target may hold as it is. */
  private static final Pattern POINT =
      Pattern.compile("(?<ident>[\\w.;=:-]+) (?<value>[-+.\\dE]+) (?<time>\\d+)");

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
   * @param record the record's value
   * @param points that it holds: ident, value, epoch seconds or ms
   */
  private record Sent(String topic, String settings, ByteBuffer record, List<String> points) {
    @Override
    public String toString() {
      return topic;
    }
  }

  private static final Path GOLDEN =
      Path.of(
          System.getProperty("rondo.root"),
          "topology/formats/src/test/resources/dev/rondo/formats");

  private static Sent golden(String topic, String settings, String record, String points)
      throws IOException {
    return new Sent(
        topic,
        settings,
        ByteBuffer.wrap(Files.readAllBytes(GOLDEN.resolve(record))),
        Files.readAllLines(GOLDEN.resolve(points)));
  }

  /** But for the points whose line holds this: they came about otherwise. */
  private static Sent without(String part, Sent sent) {
    return new Sent(
        sent.topic(),
        sent.settings(),
        sent.record(),
        sent.points().stream().filter(line -> !line.contains(part)).toList());
  }

  /** Lists in JSON cannot be part of a target. */
  private static Sent withoutProcess(Sent sent) {
    return new Sent(
        sent.topic(),
        sent.settings() + ", labels: {drop: ['process[.].*']}",
        sent.record(),
        sent.points().stream().map(line -> line.replaceAll(";process[.][^; ]*", "")).toList());
  }

  private static Sent metrictank() {
    String data =
        "89a24964d922312e3862383465316265363638646434373461303161323262373264333763333362"
            + "a54f7267496401a44e616d65b6736572766572732e77656230312e6370752e69646c65a8496e7465"
            + "7276616c0aa556616c7565cb405885c28f5c28f6a4556e6974a7756e6b6e6f776ea454696d65ce56"
            + "be6e72a54d74797065a56761756765a45461677391a664633d616d73";
    return new Sent(
        "metrictank",
        "format: metrictank",
        ByteBuffer.wrap(HexFormat.of().parseHex(data)),
        List.of("servers.web01.cpu.idle;dc=ams 98.09 1455320690"));
  }

  private static Sent own() {
    PointBatchWriter batch = new PointBatchWriter();
    batch.add("shop.orders;dc=ams", 1_700_000_000_000L, 42.5);
    batch.add("shop.orders;dc=fra", 1_700_000_000_000L, 7);
    batch.add("shop.orders;dc=ams", 1_700_000_010_000L, 43.5);
    return new Sent(
        "native",
        "format: native",
        ByteBuffer.wrap(batch.take()),
        List.of(
            "shop.orders;dc=ams 42.5 1700000000",
            "shop.orders;dc=fra 7 1700000000",
            "shop.orders;dc=ams 43.5 1700000010"));
  }

  private static List<Sent> all() throws IOException {
    String tagged = "graphite/telegraf-tags.txt";
    String samples = "prometheus/points.txt";
    return List.of(
        golden("graphite", "format: graphite", tagged, tagged),
        // of a path Telegraf's Graphite has "-", where its Influx has "/"
        without("path=-", golden("influx", "format: influx", "influx/telegraf.txt", tagged)),
        without("path=-", golden("influx-auto", "format: auto", "influx/telegraf.txt", tagged)),
        golden("putval", "format: putval", "putval/putval.txt", "putval/graphite.txt"),
        golden("telegraf", "format: json", "json/telegraf-batch.json", "json/telegraf-batch.txt"),
        golden(
            "telegraf-ns",
            "format: json, dialect: telegraf, time.unit: ns",
            "json/telegraf-batch-ns.json",
            "json/telegraf-batch-ns.txt"),
        golden("collectd", "format: json", "json/collectd.json", "json/collectd.txt"),
        golden("jsonline", "format: auto", "json/jsonline.json", "json/jsonline.txt"),
        golden("opentsdb", "format: auto", "json/opentsdb.json", "json/opentsdb.txt"),
        golden("plain", "format: json, keyed: true", "json/plain.json", "json/plain.txt"),
        golden(
            "adapter",
            "format: json",
            "json/prometheus-adapter.json",
            "json/prometheus-adapter.txt"),
        // one without a time has that of its writing
        without("login.", golden("vector", "format: json", "json/vector.json", "json/vector.txt")),
        withoutProcess(
            golden("otlp", "format: otlp", "otlp/cumulative.bin", "otlp/cumulative.txt")),
        withoutProcess(golden("otlp-json", "format: auto", "otlp/delta.json", "otlp/delta.txt")),
        golden("remote-write", "format: auto", "prometheus/write-request.plain", samples),
        golden(
            "remote-write-snappy",
            "format: prometheus",
            "prometheus/write-request.snappy",
            samples),
        golden("remote-write-zstd", "format: prometheus", "prometheus/write-request.zstd", samples),
        metrictank(),
        own());
  }

  @TempDir static Path temporary;
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
    rondo.up(
        "--no-host-metrics",
        "--no-own-metrics",
        "--policies=" + Files.writeString(temporary.resolve("policies.yaml"), POLICIES),
        "--sources=" + Files.writeString(temporary.resolve("sources.yaml"), sources));
    status = rondo.status();
    try (var producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", status.get("kafka").asText()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (Sent sent : all()) {
        producer.send(new ProducerRecord<>(sent.topic(), sent.record().array())).get();
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
    Map<Long, Map<String, Double>> expected = slots(sent);
    assertThat(expected).isNotEmpty();
    for (var slot : expected.entrySet()) {
      await()
          .atMost(VISIBLE_BOUND)
          .pollInterval(Duration.ofMillis(250))
          .untilAsserted(() -> assertRendered(slot.getKey(), slot.getValue()));
    }
  }

  /** The last value of each series in each slot, by the slot's beginning in epoch seconds. */
  private static Map<Long, Map<String, Double>> slots(Sent sent) {
    Map<Long, Map<String, Double>> slots = new TreeMap<>();
    for (String line : sent.points()) {
      Matcher point = POINT.matcher(line);
      if (point.matches()) {
        long time = Long.parseLong(point.group("time"));
        long ms = time < FIRST_MS ? 1000 * time : time;
        slots
            .computeIfAbsent(ms / STEP_MS * STEP_MS / 1000, begin -> new TreeMap<>())
            .put(
                sent.topic() + "." + point.group("ident"),
                Double.parseDouble(point.group("value")));
      }
    }
    return slots;
  }

  private void assertRendered(long begin, Map<String, Double> expected) throws Exception {
    Map<String, Double> rendered = rendered(begin, expected.keySet());
    expected.forEach(
        (series, value) ->
            assertThat(rendered.get(series))
                .as("%s at %d", series, begin)
                .isCloseTo(value, offset(1e-9)));
  }

  /** The known values of one slot. */
  private Map<String, Double> rendered(long begin, Set<String> series) throws Exception {
    String form =
        "format=json&from=%d&until=%d".formatted(begin - 60, begin + 60)
            + series.stream()
                .map(target -> "&target=" + URLEncoder.encode(target, UTF_8))
                .collect(Collectors.joining());
    HttpResponse<String> answer =
        HTTP.send(
            HttpRequest.newBuilder(URI.create(status.get("api").asText() + "/render"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    Map<String, Double> values = new TreeMap<>();
    for (JsonNode one : JSON.readTree(answer.body())) {
      for (JsonNode point : one.get("datapoints")) {
        if (point.get(1).asLong() == begin && !point.get(0).isNull()) {
          assertThat(values.put(one.get("target").asText(), point.get(0).asDouble()))
              .as("values of %s at %d", one.get("target"), begin)
              .isNull();
        }
      }
    }
    return values;
  }
}
