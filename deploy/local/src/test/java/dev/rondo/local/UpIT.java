package dev.rondo.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.connection.postgres.PostgresUrl;
import dev.rondo.embedded.ProcessTree;
import dev.rondo.embedded.secured.ClearTextListener;
import dev.rondo.local.parts.ConnectorReconciler;
import dev.rondo.local.settings.Home;
import dev.rondo.local.settings.Plan;
import dev.rondo.local.state.HttpProbe;
import dev.rondo.local.state.PartState;
import dev.rondo.local.state.State;
import dev.rondo.local.state.StateFile;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * All of Rondo, from {@code ./rondo up} to {@code ./rondo down --wipe}: the query API and the tv
 * view return points published to Kafka with values computed by hand.
 *
 * <pre>
 * seconds after base    0    4    10        25   30        90       120
 * spine.weighted       99    1     3                                  7   slot 10 = (4·1 + 6·3)/10
 * spine.thirds          0                    5   10                  20   slot 30 = (5·5 + 5·10)/10
 * spine.coarse          0                                   5        11   one point fills many slots
 * </pre>
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
class UpIT {
  /** Texts in the metrics of each part. */
  private static final Map<String, String> METRICS =
      Map.of(
          "topology", "rondo_decode_points_total [1-9]",
          "connect", "rondo_sink_rows_total\\{.*} [1-9]",
          "api", "rondo_query_request_duration_seconds_count\\{.*} [1-9]",
          "postgres", "rondo_postgres_up 1",
          "broker", "kafka_broker_records_in_total [1-9]");

  private static final Offset<Double> ROUNDING = offset(1e-9);
  private static final Duration VISIBLE_BOUND = Duration.ofMinutes(2);
  private static final long MINUTE_S = 60;
  private static final int MAX_LOG_KB = 8;
  private static final String FACTS = "/status?format=json";
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String POLICIES =
      """
      policies:
        - name: spine
          match: '^spine\\.'
          step: 10s
          heartbeat: 2m
          archives: ["10s:6h", "30s:12h", "1m:7d"]
      """;

  private static final String SOURCES =
      """
      sources:
        - {topic: points, format: graphite, labels: {drop: [pod]}}
        - {topic: ci, format: events, tags: [ci]}
      """;

  /** Aligned to every step, and old enough that all slots have ended. */
  private final long base = (Instant.now().getEpochSecond() / MINUTE_S - 10) * MINUTE_S;

  @TempDir static Path temporary;
  private RondoScript rondo;
  private Path dir;
  private JsonNode status;
  private List<FormatSample> samples;

  @BeforeAll
  void up() throws Exception {
    dir = temporary.resolve("data");
    rondo = new RondoScript(dir);
    samples = FormatSample.all();
    String samplesSources =
        samples.stream().map(FormatSample::source).collect(Collectors.joining());
    Path policies =
        Files.writeString(temporary.resolve("policies.yaml"), POLICIES + FormatSample.policy());
    Path sources = Files.writeString(temporary.resolve("sources.yaml"), SOURCES + samplesSources);
    var variables = // the first one belongs to another cluster
        Map.of("RONDO_KAFKA_SECURITY_PROTOCOL", "SASL_SSL", "RONDO_LOG_SIZE", MAX_LOG_KB + "k");
    var up =
        new RondoScript(dir, variables)
            .up(
                "--no-host-metrics",
                "--no-own-metrics",
                "--policies=" + policies,
                "--sources=" + sources);
    status = rondo.status();
    assertThat(up.output())
        .contains("Rondo is ready")
        .contains("ignored RONDO_KAFKA_SECURITY_PROTOCOL")
        .contains("created source topic ci with 16 partitions")
        .contains("open " + status.get("api").asText() + "/ in a browser");
    assertThat(status.get("ready").asBoolean()).isTrue();
  }

  @AfterAll
  void down() throws Exception {
    if (Files.exists(dir.resolve("rondo.json"))) {
      rondo.run("down");
    }
  }

  @Test
  @Order(1)
  void shouldRenderPublishedPoints() throws Exception {
    publish(
        List.of(
            line("spine.weighted", 99, 0),
            line("spine.weighted", 1, 4),
            line("spine.weighted", 3, 10),
            line("spine.weighted", 7, 120)),
        null);
    publishEachWithRandomKey(
        line("spine.thirds", 0, 0),
        line("spine.thirds", 5, 25),
        line("spine.thirds", 10, 30),
        line("spine.thirds", 20, 120));
    publish(
        List.of(
            line("spine.coarse", 0, 0), line("spine.coarse", 5, 90), line("spine.coarse", 11, 120)),
        null);

    awaitValuesOfHand();
  }

  @Test
  @Order(2)
  void shouldListSeries() throws Exception {
    var names = new HashSet<String>();
    get("/metrics/find?query=spine.*").forEach(node -> names.add(node.get("id").asText()));
    assertThat(names).contains("spine.weighted", "spine.thirds", "spine.coarse");
  }

  @Test
  @Order(3)
  void shouldAnswerQueryOverTv() throws Exception {
    assertThat(latest("spine.weighted"))
        .isEqualTo(atSeconds(120, 7.0, 110, 7.0, 100, 7.0, 90, 7.0, 80, 7.0));
    assertThat(latest("spine.coarse"))
        .isEqualTo(atSeconds(120, 11.0, 110, 11.0, 100, 11.0, 90, 5.0, 80, 5.0));
  }

  /** The sink must not drop a table, the query API must not write. */
  @Test
  @Order(2)
  void shouldConnectWithLeastPrivileges() throws Exception {
    var users = new TreeMap<String, String>();
    try (var connection = connect();
        var statement = connection.createStatement();
        var result =
            statement.executeQuery(
                "select application_name, string_agg(distinct usename, ' ') from pg_stat_activity"
                    + " where application_name like 'rondo-%' group by 1")) {
      while (result.next()) {
        users.put(result.getString(1), result.getString(2));
      }
    }
    assertThat(users)
        .containsEntry("rondo-postgres-sink", "rondo_sink")
        .containsEntry("rondo-query-api", "rondo_api");
  }

  /** The database's superuser could run programs. */
  @Test
  @Order(2)
  void shouldNotTrustOtherUsersOfThisMachine() throws Exception {
    var url = PostgresUrl.parse(status.get("postgres").asText());
    for (String user : Plan.USERS) {
      assertThatThrownBy(() -> DriverManager.getConnection(url.jdbcUrl(), user, "x"))
          .hasMessageContaining("password authentication failed");
    }
    assertThat(Files.getPosixFilePermissions(dir))
        .doesNotContainAnyElementsOf(PosixFilePermissions.fromString("---rw-rwx"));
  }

  @Test
  @Order(2)
  void shouldShowPasswordsNowhere() throws Exception {
    var shown = new ArrayList<>(List.of(rondo.run("status", "--json").output()));
    String connect = status.get("connect").asText();
    shown.add(HttpProbe.get(connect + "/connectors?expand=info"));
    shown.add(HttpProbe.get(status.get("api").asText() + FACTS));
    for (JsonNode part : status.get("parts")) {
      Path arguments = Path.of("/proc", part.path("pid").asText(), "cmdline");
      if (Files.exists(arguments)) { // the sink is not a process
        shown.add(Files.readString(arguments));
      }
    }
    assertThat(shown).hasSizeGreaterThan(Files.exists(Path.of("/proc/self/cmdline")) ? 7 : 2);
    for (String line : Files.readAllLines(dir.resolve("pgpass"))) {
      String password = line.substring(line.lastIndexOf(':') + 1);
      assertThat(password).hasSizeGreaterThan(20);
      assertThat(String.join("\n", shown)).doesNotContain(password);
    }
  }

  /** Requests of another user of this machine to Connect, which has the sink's password. */
  @Test
  @Order(2)
  void shouldNotRevealPasswordsThroughConnect() throws Exception {
    try (var thief = ClearTextListener.start()) {
      for (String user : Plan.USERS) {
        var config =
            Map.of(
                "connector.class",
                "dev.rondo.connect.postgres.PostgresSinkConnector",
                "topics",
                "rondo.series",
                "connection.url",
                "jdbc:postgresql://127.0.0.1:%d/rondo?requireAuth=password".formatted(thief.port()),
                "connection.user",
                user);
        var request =
            HttpRequest.newBuilder(
                    URI.create(
                        status.get("connect").asText()
                            + "/connector-plugins/PostgresSinkConnector/config/validate"))
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(config)))
                .build();
        var answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(thief.passwords()).isEmpty();
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(401);
      }
    }
    int port = URI.create(status.get("postgres").asText()).getPort();
    assertThat(Files.readAllLines(dir.resolve("connect/pgpass")))
        .as("what the worker can give away at all")
        .singleElement()
        .asString()
        .startsWith("127.0.0.1:%d:rondo:%s:".formatted(port, Plan.SINK_USER));
  }

  @Test
  @Order(3)
  @Tag("long")
  void shouldShowTheSeriesOfTheTopic() throws Exception {
    publish(List.of(line("spine.labelled;pod=x;dc=ams", 1, 0)), null);
    var check = rondo.run(List.of("check", "source"), "--topic=points", "--records=1000");
    assertThat(check.exitCode()).as(check.output()).isZero();
    assertThat(check.output())
        .contains("Format: graphite (from the settings)")
        .contains("  spine.labelled;dc=ams  ")
        .contains("policy spine (10s:6h, 30s:12h, 1m:7d)");
  }

  @Test
  @Order(3)
  void shouldExplainAGraph() throws Exception {
    await("all parts say why spine.weighted is silent")
        .atMost(VISIBLE_BOUND)
        .untilAsserted(
            () -> {
              var silent = rondo.run("why", "spine.weighted");
              assertThat(silent.exitCode()).as(silent.output()).isEqualTo(1);
              assertThat(silent.output())
                  .contains("silent since " + Instant.ofEpochSecond(base + 120))
                  .contains("rondo-postgres-sink RUNNING", "values known, the newest");
            });
    // a minute apart: their sender counts as silent after three
    long now = Instant.now().getEpochSecond();
    publish(List.of("spine.now 1 " + (now - 60), "spine.now 1 " + now), null);
    await("fine while points come")
        .atMost(VISIBLE_BOUND)
        .untilAsserted(() -> assertThat(rondo.run("why", "spine.now").output()).contains("fine: "));
  }

  @Test
  @Order(3)
  void shouldServeMetricsOfAllParts() throws Exception {
    String shown = rondo.run("status").output();
    String scraped = Files.readString(dir.resolve("prometheus/prometheus.yml"));
    for (var each : METRICS.entrySet()) {
      String url = status.at("/metrics/" + each.getKey()).asText();
      assertThat(shown).contains("%s   (%s)".formatted(url, each.getKey()));
      assertThat(scraped).contains(URI.create(url).getAuthority());
      assertThat(HttpProbe.get(url)).containsPattern(each.getValue());
    }
    assertThat(dir.resolve("prometheus/alerts.yml")).exists();
    String broker = HttpProbe.get(status.at("/metrics/broker").asText());
    assertThat(namesOfBrokerRules())
        .isNotEmpty()
        .allSatisfy(name -> assertThat(broker).contains("\n" + name));
  }

  private static List<String> namesOfBrokerRules() throws IOException {
    var rules = Path.of("../prometheus/broker-jmx-exporter.yml");
    return Files.readAllLines(rules).stream()
        .map(String::strip)
        .filter(line -> line.startsWith("name: "))
        .map(line -> line.substring("name: ".length()))
        .toList();
  }

  @Test
  @Order(4)
  void shouldCountGarbageAndKeepItAsDeadLetters() throws Exception {
    publishBytes(new byte[] {0, 1, 2, (byte) 0xff, '\n', (byte) 0xc3, 0x28, ' ', '1', ' ', '2'});
    publish(List.of("spine.half", "spine.half 1"), null);
    publish(List.of("x".repeat(1_000_000) + " 1 " + base), null);
    publish(List.of("spine.nan NaN " + base), null);
    publish(
        List.of("spine.future 1 " + Instant.parse("2099-01-01T00:00:00Z").getEpochSecond()), null);
    publish(List.of("elsewhere.series 1 " + base), null);
    publish(List.of(line("spine.after", 1, 0), line("spine.after", 2, 120)), null);

    awaitRendered("spine.after", "10s", Map.of(10L, 2.0, 120L, 2.0));
    var expected = // records can be in different partitions
        Map.of(
            "unreadable", 4.0,
            "name-too-long", 1.0,
            "not-a-number", 1.0,
            "too-far-in-the-future", 1.0,
            "no-policy", 1.0);
    await("counts of all that was dropped")
        .untilAsserted(
            () -> {
              var metrics = HttpProbe.get(status.get("topology").asText() + "/metrics");
              expected.forEach(
                  (reason, count) ->
                      assertThat(dropped(metrics, reason)).as(reason).isEqualTo(count));
            });
    await("dead letters of each reason")
        .untilAsserted(
            () ->
                assertThat(deadLetterReasons())
                    .contains(
                        "unreadable", "name-too-long", "not-a-number", "too-far-in-the-future"));
  }

  @Test
  @Order(5)
  void shouldShowEventsOfATopicUntilTheyAreDeleted() throws Exception {
    String deploy = "{\"what\":\"deploy\",\"tags\":\"web\",\"when\":%d}".formatted(base);
    send("ci", null, (deploy + "{\"what\":7}").getBytes(UTF_8));
    send("ci", null, "restart of web".getBytes(UTF_8));

    await().atMost(VISIBLE_BOUND).until(() -> get("/events/get_data?tags=ci").size() == 2);
    JsonNode first = get("/events/get_data?tags=ci+web").get(0);
    assertThat(first.get("what").asText()).isEqualTo("deploy");
    assertThat(first.get("when").asLong()).isEqualTo(base);
    var check = rondo.run(List.of("check", "source"), "--topic=ci");
    assertThat(check.output())
        .contains("Format: events (from the settings)", "  restart of web  ", "tags ci")
        .contains("dropped, unreadable: 'what' is not text");

    var deleted = rondo.run("events", "--tag=web", "--delete", "--yes");
    assertThat(deleted.output()).contains("  deploy  [web, ci]  ci-", "deleted 1 events");
    assertThat(get("/events/get_data?tags=ci")).hasSize(1);
  }

  @Test
  @Order(5)
  void shouldChangeLevelsOfLogsWhilePartsRun() throws Exception {
    for (String part : List.of("topology", "connect")) {
      String loggers = status.get(part).asText() + "/admin/loggers";
      var put =
          HttpRequest.newBuilder(URI.create(loggers + "/dev.rondo"))
              .header("Authorization", connectToken())
              .header("Content-Type", "application/json")
              .PUT(HttpRequest.BodyPublishers.ofString("{\"level\": \"TRACE\"}"))
              .build();
      var answer = HttpClient.newHttpClient().send(put, HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      assertThat(JSON.readTree(HttpProbe.get(loggers)).at("/dev.rondo/level").asText())
          .isEqualTo("TRACE");
    }
  }

  @Test
  @Order(5)
  void shouldShowTheStatusOfAllParts() throws Exception {
    await("the status of all parts")
        .untilAsserted(
            () -> {
              JsonNode facts = get(FACTS);
              assertThat(facts.get("missing")).isEmpty();
              assertThat(facts.get("stages")).hasSize(6);
              assertThat(facts.findValues("up"))
                  .hasSizeGreaterThan(6)
                  .allMatch(JsonNode::asBoolean);
              assertThat(facts.get("drops").findValuesAsText("reason"))
                  .contains("unreadable", "no-policy");
              assertThat(facts.get("drops").findValuesAsText("series"))
                  .contains("elsewhere.series");
            });
  }

  @Test
  @Order(5)
  void shouldRotateLogsWhileTheirPartsRun() throws Exception {
    Path logs = dir.resolve("logs");
    for (String part : List.of("connect", "kafka", "topology")) {
      assertThat(logs.resolve(part + ".log.1")).exists();
    }
    await().atMost(VISIBLE_BOUND).until(() -> largest(logs) < MAX_LOG_KB << 10);
    assertThat(rondo.status().get("ready").asBoolean()).isTrue();
  }

  /** Size of the largest current log, bytes. */
  private static long largest(Path logs) throws IOException {
    long largest = 0;
    try (var files = Files.newDirectoryStream(logs, "*.log")) {
      for (Path log : files) {
        largest = Math.max(largest, Files.size(log));
      }
    }
    return largest;
  }

  @Test
  @Order(5)
  void shouldReportThatItAlreadyRuns() throws Exception {
    var up = rondo.run("up", "--detach", "--prefix", "another");
    assertThat(up.exitCode()).as(up.output()).isZero();
    assertThat(up.output())
        .contains("is already running", "Options take effect only at a start", "to use --prefix")
        .contains(status.get("api").asText() + "/ ");
  }

  @Test
  @Order(6)
  void shouldNotChangeTheTableByAReplay() throws Exception {
    String before = tableOfSlots();
    double decoded = pointsDecoded();
    var stop = rondo.run("stop", "topology");
    assertThat(stop.exitCode()).as(stop.output()).isZero();
    JsonNode stopped = rondo.status();
    assertThat(stopped.at("/parts/topology/state").asText()).isEqualTo("stopped");
    assertThat(stopped.get("ready").asBoolean()).isFalse();
    assertThat(stopped.at("/parts/sink/state").asText()).isEqualTo("running");

    await()
        .atMost(VISIBLE_BOUND)
        .until(() -> get(FACTS).toString().contains("docs/runbooks/RondoTopologyDown.md"));

    var replay = rondo.run("replay", "--topic", "points", "--from", "20m");
    assertThat(replay.exitCode()).as(replay.output()).isZero();
    assertThat(replay.output()).contains("Replay 1 is set");

    var start = rondo.run("start", "topology");
    assertThat(start.exitCode()).as(start.output()).isZero();
    await().atMost(VISIBLE_BOUND).until(() -> pointsDecoded() >= decoded);
    publish(List.of(line("spine.replayed", 1, 0), line("spine.replayed", 3, 120)), null);
    awaitRendered("spine.replayed", "10s", Map.of(10L, 3.0, 120L, 3.0));
    assertThat(tableOfSlots()).isEqualTo(before);
    status = rondo.status();
    assertThat(status.get("ready").asBoolean()).isTrue();
  }

  @Test
  @Order(3)
  void shouldStoreSentLines() throws Exception {
    var send = rondo.run("send", line("spine.sent", 99, 0), line("spine.sent", 4, 120));
    assertThat(send.exitCode()).as(send.output()).isZero();
    assertThat(send.output()).contains("sent 2 records to points");
    awaitRendered("spine.sent", "10s", Map.of(10L, 4.0, 120L, 4.0));

    var elsewhere = rondo.run("send", "a 1 N", "--topic=elsewhere");
    assertThat(elsewhere.exitCode()).isEqualTo(1);
    assertThat(elsewhere.output()).contains("topic 'elsewhere' does not exist");
  }

  @Test
  @Order(6)
  void shouldReadChangedSettingsWhenAPartIsStarted() throws Exception {
    Path settings = dir.resolve("topology.properties");
    Files.writeString(settings, "http.port=1");
    assertThat(rondo.run("stop", "topology").exitCode()).isZero();
    var wrong = rondo.run("start", "topology");
    assertThat(wrong.exitCode()).isEqualTo(1);
    assertThat(wrong.output()).contains("topology.properties: ./rondo up sets http.port itself");

    Files.writeString(settings, "refresh.ms=59000");
    assertThat(rondo.run("stop", "topology").exitCode()).isZero();
    var start = rondo.run("start", "topology");
    assertThat(start.exitCode()).as(start.output()).isZero();
    assertThat(dir.resolve("topology/topology.properties")).content().contains("refresh.ms=59000");
    status = rondo.status();
  }

  @Test
  @Order(6)
  void shouldNameAMissingFileWhileRondoRuns() throws Exception {
    var up = rondo.run("up", "--detach", "--sources=nope.yaml");
    assertThat(up.exitCode()).as(up.output()).isEqualTo(1);
    assertThat(up.output()).contains("nope.yaml (--sources)");
  }

  @Test
  @Order(6)
  @Tag("long")
  void shouldReportThatTheSinkIsPaused() throws Exception {
    changeSink("pause");
    await()
        .atMost(VISIBLE_BOUND)
        .untilAsserted(
            () ->
                assertThat(rondo.run("status").output())
                    .contains("Rondo is not ready in ", ": sink is paused"));
    changeSink("resume");
    await().atMost(VISIBLE_BOUND).until(() -> rondo.status().get("ready").asBoolean());
  }

  private void changeSink(String how) throws Exception {
    var url = status.get("connect").asText() + "/connectors/rondo-postgres-sink/" + how;
    var request =
        HttpRequest.newBuilder(URI.create(url))
            .header("Authorization", connectToken())
            .PUT(HttpRequest.BodyPublishers.noBody())
            .build();
    await("Connect is to %s the sink; it refuses while it rebalances".formatted(how))
        .untilAsserted(
            () -> {
              var answer =
                  HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
              assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
            });
  }

  private String connectToken() throws IOException {
    return "Bearer " + Files.readString(dir.resolve("connect-token")).strip();
  }

  /** After the replay of points, which counts decoded points. */
  @Test
  @Order(7)
  void shouldRenderWhatProducersOfEachFormatHaveSent() throws Exception {
    for (FormatSample sample : samples) {
      send(sample.topic(), null, sample.record().array());
    }
    for (FormatSample sample : samples) {
      Map<Long, Map<String, Double>> slots = sample.slots();
      assertThat(slots).as("slots of %s", sample).isNotEmpty();
      for (var slot : slots.entrySet()) {
        await("values of %s".formatted(sample))
            .untilAsserted(
                () ->
                    assertThat(rendered(slot.getKey(), slot.getValue().keySet()))
                        .isEqualTo(slot.getValue()));
      }
    }
  }

  /** Returns the known values by the start of their slot, epoch seconds. */
  private Map<String, Double> rendered(long begin, Set<String> series) throws Exception {
    String form =
        "format=json&from=%d&until=%d".formatted(begin - 60, begin + 60)
            + series.stream()
                .map(target -> "&target=" + URLEncoder.encode(target, UTF_8))
                .collect(Collectors.joining());
    var request =
        HttpRequest.newBuilder(URI.create(status.get("api").asText() + "/render"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(form))
            .build();
    var answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    var values = new TreeMap<String, Double>();
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

  @Test
  @Order(8)
  @Tag("long")
  void shouldRestartKilledParts() throws Exception {
    for (String part : List.of("api", "fill", "topology", "connect", "postgres", "kafka")) {
      ProcessHandle.of(status.at("/parts/" + part + "/pid").asLong())
          .orElseThrow()
          .destroyForcibly();
    }
    await("all parts are restarted and ready")
        .atMost(Duration.ofMinutes(5))
        .until(() -> state().isReadyNow() && allRestarted());
    publish(List.of(line("spine.later", 1, 0), line("spine.later", 3, 120)), null);

    awaitRendered("spine.later", "10s", Map.of(10L, 3.0, 120L, 3.0));
    awaitValuesOfHand();
  }

  /** A permanent error fails the sink's tasks, which Connect itself does not restart. */
  @Test
  @Order(8)
  @Tag("long")
  void shouldRestartTheSinkThatFailedForAMissingTable() throws Exception {
    execute("alter table ts rename to ts_away");
    publish(List.of(line("spine.waiting", 1, 0), line("spine.waiting", 3, 120)), null);
    await()
        .atMost(VISIBLE_BOUND)
        .until(() -> state().parts.get(ConnectorReconciler.NAME).state().equals(PartState.DOWN));
    execute("alter table ts_away rename to ts");
    awaitRendered("spine.waiting", "10s", Map.of(10L, 3.0, 120L, 3.0));
    await().atMost(VISIBLE_BOUND).until(() -> state().isReadyNow());
  }

  @Test
  @Order(9)
  @Tag("long")
  void shouldKeepDataAndPortsOverDownAndUp() throws Exception {
    var down = rondo.run("down");
    assertThat(down.exitCode()).as(down.output()).isZero();
    assertThat(rondo.run("status").exitCode()).isEqualTo(Main.NOT_RUNNING);

    var up = rondo.run("up", "--detach", "--no-host-metrics", "--no-own-metrics");
    assertThat(up.exitCode()).as(up.output()).isZero();
    assertThat(rondo.status().get("ports")).isEqualTo(status.get("ports"));
    status = rondo.status();
    awaitValuesOfHand();
  }

  @Test
  @Order(10)
  void shouldEndPartsOfAKilledSupervisor() throws Exception {
    var pids = partPids();
    long supervisor = status.at("/supervisor/pid").asLong();
    ProcessHandle.of(supervisor).orElseThrow().destroyForcibly();
    await()
        .atMost(VISIBLE_BOUND)
        .until(() -> rondo.run("status").output().contains("the supervisor in"));

    var down = rondo.run("down", "--wipe");
    assertThat(down.exitCode()).as(down.output()).isZero();
    assertThat(dir).doesNotExist();
    assertThat(pids)
        .hasSizeGreaterThan(4)
        .noneMatch(pid -> ProcessHandle.of(pid).map(ProcessTree::isAlive).orElse(false));
    assertThat(ProcessHandle.allProcesses())
        .noneMatch(p -> p.info().commandLine().orElse("").contains(dir.toString()));
  }

  private void awaitValuesOfHand() {
    awaitRendered(
        "spine.weighted",
        "10s",
        Map.of(10L, 2.2, 20L, 7.0, 30L, 7.0, 60L, 7.0, 70L, 7.0, 120L, 7.0));
    awaitRendered(
        "spine.thirds", "10s", Map.of(10L, 5.0, 20L, 5.0, 30L, 7.5, 40L, 20.0, 120L, 20.0));
    awaitRendered("spine.coarse", "10s", Map.of(10L, 5.0, 90L, 5.0, 100L, 11.0, 120L, 11.0));
    awaitRendered("spine.thirds", "30s", Map.of(30L, 17.5 / 3, 60L, 20.0, 120L, 20.0));
    awaitRendered("spine.coarse", "1m", Map.of(60L, 5.0, 120L, 8.0));
    awaitRendered("spine.weighted", "1m", Map.of(60L, 37.2 / 6, 120L, 7.0));
  }

  /**
   * Waits until the archive of {@code step} renders {@code expected}: value by seconds after base.
   */
  private void awaitRendered(String series, String step, Map<Long, Double> expected) {
    await()
        .atMost(VISIBLE_BOUND)
        .pollInterval(Duration.ofMillis(250))
        .ignoreExceptionsInstanceOf(IOException.class) // the API is restarting
        .untilAsserted(
            () -> {
              var rendered = rendered(series, step);
              expected.forEach(
                  (second, value) ->
                      assertThat(rendered.get(second))
                          .as("%s of %s at base + %d s in %s", series, step, second, rendered)
                          .isCloseTo(value, ROUNDING));
            });
  }

  /** Returns known values by seconds after base; the range starts before the finer archives do. */
  private Map<Long, Double> rendered(String series, String step) throws Exception {
    String from = Map.of("10s", "-30min", "30s", "-8h", "1m", "-13h").get(step);
    var values = new TreeMap<Long, Double>();
    for (JsonNode each : get("/render?format=json&target=%s&from=%s".formatted(series, from))) {
      for (JsonNode point : each.get("datapoints")) {
        if (!point.get(0).isNull()) {
          values.put(point.get(1).asLong() - base, point.get(0).asDouble());
        }
      }
    }
    return values;
  }

  /** Returns a checksum of tv, without the series that marks the end of the replay. */
  private String tableOfSlots() throws Exception {
    try (var connection = connect();
        var statement = connection.createStatement();
        var result =
            statement.executeQuery(
                "select count(r), md5(string_agg(ident::text || ' ' || tv.step_ms || ' ' || t || ' ' || r,"
                    + " ';' order by ident::text, tv.step_ms, t)) from ds join tv on tv.ds_id = ds.id"
                    + " where r is not null and ident ->> 'name' <> 'spine.replayed'")) {
      result.next();
      assertThat(result.getLong(1)).isGreaterThan(30);
      return result.getString(2);
    }
  }

  private double pointsDecoded() throws Exception {
    return HttpProbe.get(status.get("topology").asText() + "/metrics")
        .lines()
        .filter(line -> line.startsWith("rondo_decode_points_total "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private List<Map.Entry<Long, Double>> latest(String series) throws Exception {
    var rows = new ArrayList<Map.Entry<Long, Double>>();
    try (var connection = connect();
        var statement = connection.createStatement();
        var result =
            statement.executeQuery(
                "select t, r from ds join tv on tv.ds_id = ds.id where ident @> '{\"name\":\"%s\"}' and tv.step_ms = 10000 order by t desc limit 5;"
                    .formatted(series))) {
      while (result.next()) {
        rows.add(
            Map.entry(
                result.getTimestamp("t").toInstant().getEpochSecond() - base,
                result.getDouble("r")));
      }
    }
    return rows;
  }

  private List<Map.Entry<Long, Double>> atSeconds(Number... secondsAndValues) {
    var entries = new ArrayList<Map.Entry<Long, Double>>();
    for (int k = 0; k < secondsAndValues.length; k += 2) {
      entries.add(
          Map.entry(secondsAndValues[k].longValue(), secondsAndValues[k + 1].doubleValue()));
    }
    return entries;
  }

  private void execute(String sql) throws Exception {
    try (var connection = connect();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private java.sql.Connection connect() throws Exception {
    var url = PostgresUrl.parse(status.get("postgres").asText());
    return DriverManager.getConnection(url.jdbcUrl(), url.user(), url.password());
  }

  private JsonNode get(String path) throws Exception {
    return JSON.readTree(HttpProbe.get(status.get("api").asText() + path));
  }

  private String line(String series, double value, long second) {
    return "%s %s %d".formatted(series, value, base + second);
  }

  private void publish(List<String> lines, byte[] key) throws Exception {
    send(key, String.join("\n", lines).getBytes(UTF_8));
  }

  private void publishEachWithRandomKey(String... lines) throws Exception {
    for (String line : lines) {
      send(UUID.randomUUID().toString().getBytes(UTF_8), line.getBytes(UTF_8));
    }
  }

  private void publishBytes(byte[] value) throws Exception {
    send(null, value);
  }

  private void send(byte[] key, byte[] value) throws Exception {
    send("points", key, value);
  }

  private void send(String topic, byte[] key, byte[] value) throws Exception {
    Map<String, Object> config = Map.of("bootstrap.servers", status.get("kafka").asText());
    try (var producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>(topic, key, value)).get();
    }
  }

  private static double dropped(String metrics, String reason) {
    return metrics
        .lines()
        .filter(line -> line.startsWith("rondo_drops_points_total"))
        .filter(line -> line.contains("reason=\"" + reason + "\""))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private Set<String> deadLetterReasons() {
    Map<String, Object> config =
        Map.of(
            "bootstrap.servers", status.get("kafka").asText(), "isolation.level", "read_committed");
    var reasons = new HashSet<String>();
    try (var consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      var partitions =
          consumer.partitionsFor("rondo.dead-letters").stream()
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      var ends = new HashMap<>(consumer.endOffsets(partitions));
      while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
        for (var letter : consumer.poll(Duration.ofSeconds(1))) {
          reasons.add(new String(letter.headers().lastHeader("rondo.reason").value(), UTF_8));
        }
      }
    }
    return reasons;
  }

  private boolean allRestarted() {
    return state().parts.values().stream()
        .filter(part -> part.process() != null)
        .allMatch(part -> part.restarts() > 0);
  }

  /** Reads the file of {@code ./rondo status}, to poll without a JVM for each call. */
  private State state() {
    return StateFile.read(new Home(dir)).orElseThrow();
  }

  private List<Long> partPids() {
    var pids = new ArrayList<Long>();
    status
        .get("parts")
        .forEach(
            part -> {
              if (part.has("pid")) {
                pids.add(part.get("pid").asLong());
              }
            });
    return pids;
  }
}
