package dev.rondo.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.formats.DropReason;
import dev.rondo.topology.consolidate.SeriesInquiry;
import dev.rondo.topology.drops.Drops;
import dev.rondo.topology.drops.RecordId;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Map;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.logging.log4j.LogManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Over real HTTP. */
class HttpEndpointsTest {
  private static final Instant NOW = Instant.parse("2026-05-04T10:00:31.250Z");

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Drops drops = new Drops(registry, Clock.fixed(NOW, ZoneOffset.UTC));
  private final HttpClient client = HttpClient.newHttpClient();
  private KafkaStreams.State state = KafkaStreams.State.RUNNING;
  private HttpEndpoints http;

  @BeforeEach
  void start() throws IOException {
    Health health = new Health(() -> state, Map::of, Duration.ofMinutes(5), Duration.ofSeconds(10));
    http = HttpEndpoints.start("127.0.0.1", 0, health, registry, drops, new SeriesInquiry());
  }

  @AfterEach
  void stop() {
    http.close();
  }

  @Test
  void shouldSetTheLevelOfALoggerWhileItRuns() throws Exception {
    String logger = "dev.rondo.topology.levels.of.a.test";
    assertThat(LogManager.getLogger(logger + ".below").isDebugEnabled()).isFalse();
    assertThat(put(logger, "{\"level\":\"debug\"}", "application/json").statusCode())
        .isEqualTo(200);
    assertThat(LogManager.getLogger(logger + ".below").isDebugEnabled()).isTrue();
    JsonNode levels = new ObjectMapper().readTree(get("/admin/loggers").body());
    assertThat(levels.at("/" + logger + "/level").asText()).isEqualTo("DEBUG");
    assertThat(levels.has("root")).isTrue();

    HttpResponse<String> wrong = put(logger, "{\"level\":\"loud\"}", "application/json");
    assertThat(wrong.statusCode()).isEqualTo(400);
    assertThat(wrong.body()).startsWith("level is 'loud', not one of off, ");
    assertThat(put(logger, "half", "application/json").statusCode()).isEqualTo(400);
    assertThat(put(logger, "{\"level\":\"info\"}", "text/plain").statusCode()).isEqualTo(415);
    assertThat(get("/admin/loggers/" + logger).statusCode()).isEqualTo(405);
    assertThat(LogManager.getLogger(logger).isDebugEnabled()).isTrue();
  }

  @Test
  void shouldSetLevelsOfLoggersThatExistOnly() throws Exception {
    HttpResponse<String> answer = put("no.such.logger", "{\"level\":\"info\"}", "application/json");
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(get("/admin/loggers").body()).doesNotContain("no.such.logger");
  }

  private HttpResponse<String> put(String logger, String body, String type) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + http.port() + "/admin/loggers/" + logger);
    return client.send(
        HttpRequest.newBuilder(uri)
            .header("Content-Type", type)
            .PUT(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  /** The example of the README. */
  private void dropSome() {
    long tMs = Instant.parse("2026-05-04T10:00:10Z").toEpochMilli();
    drops.count(DropReason.LATE, "cpu.user;host=web01", tMs, tMs + 20_000);
    drops.count(DropReason.LATE, "cpu.user;host=web01", tMs, tMs + 20_000);
    drops.count(
        DropReason.UNREADABLE,
        "fields: 2, not path value time: 'cpu.user 7'",
        new RecordId("points", 3, 4711));
  }

  @Test
  void shouldShowTheSeriesThatWereDropped() throws Exception {
    dropSome();
    HttpResponse<String> answer = get("/drops");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type"))
        .hasValue("application/json; charset=utf-8");
    JsonNode all = new ObjectMapper().readTree(answer.body());
    assertThat(all.fieldNames())
        .toIterable()
        .containsExactlyElementsOf(
            Arrays.stream(DropReason.values()).map(DropReason::key).toList());
    assertThat(all.at("/late/total").asInt()).isEqualTo(2);
    JsonNode late = all.at("/late/series/0");
    assertThat(late.get("ident").asText()).isEqualTo("cpu.user;host=web01");
    assertThat(late.get("points").asInt()).isEqualTo(2);
    assertThat(late.get("time").asText()).isEqualTo("2026-05-04T10:00:10Z");
    assertThat(late.get("previous_ms").asLong() - late.get("time_ms").asLong()).isEqualTo(20_000);
    assertThat(Instant.parse(late.get("seen").asText())).isEqualTo(NOW);
    assertThat(late.get("seen_ms").asLong()).isEqualTo(NOW.toEpochMilli());
    assertThat(late.has("detail")).isFalse();
    JsonNode unreadable = all.at("/unreadable/series/0");
    assertThat(unreadable.has("ident")).isFalse();
    assertThat(unreadable.get("topic").asText()).isEqualTo("points");
    assertThat(unreadable.get("partition").asInt()).isEqualTo(3);
    assertThat(unreadable.get("offset").asLong()).isEqualTo(4711);
    assertThat(unreadable.get("detail").asText()).endsWith("'cpu.user 7'");
    assertThat(all.at("/no-policy").toString()).isEqualTo("{\"total\":0,\"series\":[]}");
  }

  @Test
  void shouldAnswerAsTheReadmeSays() throws Exception {
    dropSome();
    String answer = get("/drops?reason=late&reason=unreadable").body();
    assertThat(Files.readString(Path.of("../README.md"))).contains("```json\n" + answer + "```");
  }

  @Test
  void shouldShowOneReason() throws Exception {
    dropSome();
    JsonNode late = new ObjectMapper().readTree(get("/drops?reason=late").body());
    assertThat(late.fieldNames()).toIterable().containsExactly("late");
  }

  @Test
  void shouldNameTheKnownReasonsOfAnUnknownOne() throws Exception {
    HttpResponse<String> answer = get("/drops?reason=latte");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body())
        .isEqualTo(
            "reason is 'latte', not one of empty, unreadable, unsupported, decoder-failed,"
                + " record-over-limit, text-value, no-value, unknown-id,"
                + " unknown-schema, name-too-long, too-many-tags, not-a-number, too-far-in-the-future, too-old, name-collision, no-policy,"
                + " policy-drops, deleted, late, duplicate-time, slot-too-far-ahead, too-many-series, too-many-segments,"
                + " no-memory, too-many-new-series\n");
    assertThat(get("/drops?reason=").statusCode()).isEqualTo(400);
  }

  @Test
  void shouldWriteAnyIdentAsJson() throws Exception {
    String odd = "a\"b\\c;x=<\u2028é日本\ud83d\ude00";
    drops.count(DropReason.NO_POLICY, odd, Long.MAX_VALUE);
    drops.count(DropReason.NO_POLICY, "b", Long.MIN_VALUE);
    JsonNode answer = new ObjectMapper().readTree(get("/drops?reason=no-policy").body());
    assertThat(answer.at("/no-policy/series/1/ident").asText()).isEqualTo(odd);
    assertThat(answer.at("/no-policy/series/1/time_ms").asLong()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void shouldNeedOneIdentThatATaskKnows() throws Exception {
    assertThat(get("/series").statusCode()).isEqualTo(400);
    assertThat(get("/series?ident=a&ident=b").statusCode()).isEqualTo(400);
    HttpResponse<String> unknown = get("/series?ident=load%3Bhost%3Da%20b"); // there is no task
    assertThat(unknown.statusCode()).isEqualTo(404);
    assertThat(unknown.body()).isEqualTo("no task of this instance knows 'load;host=a b'\n");
  }

  @Test
  void shouldReportHealthAndMetrics() throws Exception {
    dropSome();
    assertThat(get("/health").statusCode()).isEqualTo(200);
    state = KafkaStreams.State.REBALANCING;
    assertThat(get("/health").statusCode()).isEqualTo(503);
    assertThat(get("/health/live").statusCode()).isEqualTo(200);
    assertThat(get("/health/ready").statusCode()).isEqualTo(503);
    assertThat(get("/health/ready").body())
        .isEqualTo(
            "{\"ok\":false,\"state\":\"REBALANCING\",\"reason\":\"Kafka Streams is REBALANCING\"}\n");
    assertThat(get("/metrics").body())
        .contains("rondo_drops_points_total{reason=\"late\"} 2.0")
        .contains("rondo_drops_points_total{reason=\"too-many-series\"} 0.0")
        .doesNotContain("web01");
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + http.port() + path);
    return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }
}
