package dev.rondo.tools.why;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.embedded.ConnectWorker;
import dev.rondo.embedded.KafkaBroker;
import dev.rondo.embedded.PostgresServer;
import dev.rondo.embedded.TopologyProcess;
import dev.rondo.tools.command.CommandRun;
import dev.rondo.tools.command.Commands;
import dev.rondo.topology.decode.SeriesPartition;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Prepared causes on a whole pipeline: a broker, the topology, Connect with the sink, PostgreSQL.
 * The last tests end one part after the other.
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class WhyIT {
  private static final Duration BOUND = Duration.ofMinutes(3);
  private static final int PARTITIONS = 2;
  private static final int INTERVAL_S = 5;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final String SOURCES =
      """
      sources:
        - {topic: points, format: graphite}
        - {topic: keyed, format: graphite, keyed: true}
      """;
  private static final String POLICIES =
      """
      policies:
        - {name: dropping, match: '^dropped\\.', drop: true}
        - {name: gaps, match: '^gaps\\.', step: 1s, heartbeat: 2s, archives: ["1s:1h"]}
        - {name: short, match: '^short\\.', step: 1s, heartbeat: 1s, expire.after: 2s, archives: ["1s:1h"]}
        - {name: app, match: '^app', step: 1s, heartbeat: 10s, archives: ["1s:1h", "10s:1d"]}
      """;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path dir;

  private final ScheduledExecutorService sender = Executors.newSingleThreadScheduledExecutor();
  private KafkaBroker kafka;
  private Producer<byte[], byte[]> producer;
  private PostgresServer postgres;
  private TopologyProcess topology;
  private ConnectWorker connect;

  /** Time of the last point that is sent too seldom. */
  private long seldomS;

  @BeforeAll
  void start() throws Exception {
    kafka = KafkaBroker.start(dir.resolve("kafka"), 0);
    var database = CompletableFuture.runAsync(this::startPostgres);
    var worker = CompletableFuture.runAsync(this::startConnect);
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrap()),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    topology =
        new TopologyProcess(Files.createDirectories(dir.resolve("topology")), kafka.bootstrap())
            .set("sources.file", Files.writeString(dir.resolve("sources.yaml"), SOURCES))
            .set("policies.file", Files.writeString(dir.resolve("policies.yaml"), POLICIES))
            .set("sources.create", true)
            .set("partitions", PARTITIONS);
    topology.start();
    var unused = sender.scheduleAtFixedRate(this::sendLive, 0, 1, TimeUnit.SECONDS);
    sendOnce();
    database.join();
    worker.join();
    createSink();
  }

  private void startPostgres() {
    postgres = PostgresServer.start(dir.resolve("postgres"), 0);
    Flyway.configure()
        .dataSource(postgres.jdbcUrl(), "rondo", "")
        .locations("classpath:dev/rondo/schemas/sql")
        .load()
        .migrate();
  }

  private void startConnect() {
    connect =
        ConnectWorker.start(
            dir.resolve("connect"),
            0,
            kafka.bootstrap(),
            Path.of("../../connectors/postgres-sink/target/plugin"));
  }

  private void createSink() throws Exception {
    String config =
        """
        {"connector.class": "dev.rondo.connect.postgres.PostgresSinkConnector",
         "tasks.max": "1", "topics": "rondo.series,rondo.bundle-rows",
         "key.converter": "dev.rondo.connect.postgres.RondoConverter",
         "value.converter": "dev.rondo.connect.postgres.RondoConverter",
         "connection.url": "%s", "kafka.bootstrap.servers": "%s",
         "consumer.override.isolation.level": "read_committed",
         "errors.tolerance": "all",
         "errors.deadletterqueue.topic.name": "rondo.dead-letters",
         "errors.deadletterqueue.topic.replication.factor": "1",
         "errors.deadletterqueue.context.headers.enable": "true"}
        """
            .formatted(postgres.jdbcUrl(), kafka.bootstrap());
    assertThat(put("/config", config)).isEqualTo(201);
  }

  private int put(String path, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(connect.url() + "/connectors/rondo-postgres-sink" + path))
            .header("Content-Type", "application/json")
            .PUT(HttpRequest.BodyPublishers.ofString(body));
    return HTTP.send(request.build(), BodyHandlers.ofString()).statusCode();
  }

  @AfterAll
  void stop() {
    sender.shutdownNow();
    topology.close();
    connect.close();
    producer.close(Duration.ZERO);
    postgres.close();
    kafka.close();
  }

  /** In each task a series, so that time passes there, and one that sends too seldom. */
  private void sendLive() {
    send("points", 0, "app.fine", nowS());
    IntStream.range(0, PARTITIONS)
        .mapToObj(WhyIT::nameIn)
        .forEach(name -> send("points", 0, name, nowS()));
    if (nowS() >= seldomS + INTERVAL_S) {
      seldomS = nowS();
      send("points", 0, "gaps.load", seldomS);
    }
  }

  private static String nameIn(int partition) {
    return IntStream.range(0, 100)
        .mapToObj(n -> "app.live" + n)
        .filter(name -> SeriesPartition.of(name, PARTITIONS) == partition)
        .findFirst()
        .orElseThrow();
  }

  private void sendOnce() {
    long nowS = nowS();
    send("points", 1, "app;host=b;dc=a", nowS - 600, nowS - 599, nowS - 598);
    send("points", 0, "short.load", nowS);
    send("points", 0, "app.old", nowS - 7_200, nowS - 7_199);
    send("points", 0, "app.ancient", nowS - 172_800);
    send("points", 0, "app.ahead", nowS, nowS + 550); // max.future.ms is 600 s
    send("points", 0, "app.tomorrow", nowS + 86_400);
    send("points", 0, "app.ms", nowS * 1_000);
    send("points", 0, "app.late", nowS, nowS - 5, nowS - 4);
    send("points", 0, "other.load", nowS);
    send("points", 0, "dropped.load", nowS);
    send("points", 0, "app.renamed", nowS);
    send("points", 0, "app.deleted", nowS);
    send("keyed", 0, "app.two", nowS - 1);
    send("keyed", 1, "app.two", nowS);
    publish("points", 0, "app.nan nan " + nowS + "\n");
  }

  private static long nowS() {
    return System.currentTimeMillis() / 1000;
  }

  private void send(String topic, int partition, String series, long... seconds) {
    for (long tS : seconds) {
      publish(topic, partition, series + " 7.5 " + tS + "\n");
    }
  }

  private void publish(String topic, int partition, String text) {
    var unused = producer.send(new ProducerRecord<>(topic, partition, null, text.getBytes(UTF_8)));
  }

  private CommandRun run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--config=" + topology.settings());
    all.add("--connect=" + connect.url());
    all.add("--postgres=" + postgres.url());
    all.add("--late=2s");
    return CommandRun.of(Commands.commandLine(new WhyCommand()), all.toArray(String[]::new));
  }

  private void shouldBe(String cause, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--json");
    await()
        .atMost(BOUND)
        .untilAsserted(
            () -> {
              CommandRun run = run(all.toArray(String[]::new));
              assertThat(run.errors()).isEmpty();
              JsonNode found = JSON.readTree(run.printed());
              assertThat(found.path("cause").asText()).as(run.printed()).isEqualTo(cause);
              assertThat(run.code()).isEqualTo(cause.equals("fine") ? 0 : 1);
            });
  }

  @Order(1)
  @ParameterizedTest
  @CsvSource({
    "app.fine,                fine",
    "app.fine --step=100ms,   no-such-archive",
    "app.fine --from=2d,      no-such-archive",
    "app.fien,                not-found",
    "app;host=b;dc=a,         silent",
    "gaps.load,               gaps",
    "short.load,              retired",
    "app.old,                 past-time",
    "app.ancient,             dropped",
    "app.ahead,               future-time",
    "app.tomorrow,            future-time",
    "app.ms,                  wrong-time-unit",
    "app.late,                dropped",
    "other.load,              dropped",
    "dropped.load,            dropped",
    "app.nan,                 not-a-number",
    "app.two,                 two-partitions",
    "app.fine --connector=no, sink-missing",
    "app.fine --api=http://127.0.0.1:1, api-down",
  })
  void shouldFind(String arguments, String cause) {
    shouldBe(cause, arguments.split(" "));
  }

  @Test
  @Order(2)
  void shouldTellTheWayForPeople() {
    CommandRun run = run("app.fine");
    assertThat(run.printed().lines().map(line -> line.split(" ", 2)[0]))
        .containsSubsequence("name", "source", "policy", "topology", "rows", "sink", "postgres");
    assertThat(run.printed()).contains("as graphite", "value 7.5", "rondo-postgres-sink RUNNING");
  }

  @Test
  @Order(3)
  void shouldFindRequests() {
    publish("rondo.series-requests", 0, "{\"by\": \"alice\", \"series\": [\"app.deleted\"]}");
    publish(
        "rondo.series-requests",
        0,
        "{\"by\": \"bob\", \"renames\": {\"app.renamed\": \"app.new\"}}");
    shouldBe("deleted", "app.deleted");
    assertThat(run("app.deleted").printed()).contains("by alice");
    shouldBe("renamed", "app.renamed");
    assertThat(run("app.renamed").printed()).contains("app.new");
  }

  @Test
  @Order(4)
  void shouldFindAPausedSink() throws Exception {
    put("/pause", "");
    shouldBe("sink-paused", "app.fine");
    put("/resume", "");
    shouldBe("fine", "app.fine");
  }

  @Test
  @Order(5)
  void shouldFindASinkThatRefuses() throws Exception {
    String name = "app." + "long".repeat(10);
    try (Connection connection = DriverManager.getConnection(postgres.jdbcUrl())) {
      execute(connection, "alter table ds add check (length(ident ->> 'name') < 40)");
    }
    send("points", 0, name, nowS(), nowS() + 1);
    shouldBe("sink-refuses", name);
    assertThat(run(name).printed()).contains("SQLSTATE 23514");
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  @Order(6)
  void shouldFindASinkThatIsBehind() throws Exception {
    try (Connection connection = DriverManager.getConnection(postgres.jdbcUrl())) {
      connection.setAutoCommit(false);
      execute(connection, "lock table ds, ts in exclusive mode");
      send("points", 0, "app.blocked", nowS());
      shouldBe("location-not-applied", "app.blocked");
      shouldBe("sink-late", "app.fine");
      connection.rollback();
    }
  }

  @Test
  @Order(7)
  void shouldFindPartsThatAreDown() {
    connect.kill();
    shouldBe("connect-down", "app.fine");
    topology.kill();
    shouldBe("topology-down", "app;host=b;dc=a");
    postgres.kill();
    shouldBe("postgres-down", "app.fine");
  }
}
