package dev.rondo.local.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rondo.connection.kafka.KafkaSettings;
import dev.rondo.connection.kafka.Replication;
import dev.rondo.connection.postgres.PostgresUrl;
import dev.rondo.embedded.ChildProcess;
import dev.rondo.embedded.ConnectWorker;
import dev.rondo.embedded.FreePort;
import dev.rondo.embedded.JavaCommand;
import dev.rondo.embedded.Launch;
import dev.rondo.embedded.PostgresServer;
import dev.rondo.embedded.TopologyProcess;
import dev.rondo.embedded.secured.RecordingAuthorizer;
import dev.rondo.embedded.secured.SecuredBroker;
import dev.rondo.local.PrintedRights;
import dev.rondo.local.RondoScript;
import dev.rondo.local.database.Migration;
import dev.rondo.local.settings.Installation;
import dev.rondo.local.state.HttpProbe;
import dev.rondo.schemas.TopicNames;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * All parts, by TLS and SCRAM, each as a separate user with only the rights that {@code ./rondo
 * acls} prints. {@code SecuredUpIT} is the short form.
 */
@Tag("long")
class LeastRightsIT {
  private static final Duration BOUND = Duration.ofMinutes(4);
  private static final List<String> PARTS =
      List.of("topology", "connect", "api", "tools", "senders");
  private static final String TOKEN = "may-write";
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path dir;

  private final Installation installation = Installation.current();
  private final TopicNames names = TopicNames.of(Map.of(TopicNames.PREFIX_KEY, "team"));
  private final List<AutoCloseable> running = new ArrayList<>();
  private SecuredBroker kafka;
  private Admin superUser;
  private RondoScript rondo;
  private List<AclBinding> printed;
  private TopologyProcess topology;
  private ConnectWorker connect;
  private SinkConnector sink;
  private String api;

  @BeforeEach
  void start() throws Exception {
    kafka =
        SecuredBroker.start(
            dir.resolve("kafka"),
            Map.of(
                "authorizer.class.name",
                RecordingAuthorizer.class.getName(),
                RecordingAuthorizer.FILE,
                dir.resolve("operations").toString(),
                "super.users",
                "User:ANONYMOUS"));
    running.add(kafka);
    kafka.addScramUsers(PARTS.toArray(String[]::new));
    kafka.addScramUsers("nobody");
    superUser = Admin.create(Map.of("bootstrap.servers", kafka.broker().bootstrap()));
    running.add(superUser);
    topology =
        new TopologyProcess(Files.createDirectories(dir.resolve("data/topology")), bootstrap())
            .from(installation.classPath("topology/streams"))
            .set(TopicNames.PREFIX_KEY, names.prefix())
            .set("kafka.config", clients("topology"))
            .set("partitions", 2);
    running.add(topology);
    topology.settings();
    rondo = new RondoScript(dir.resolve("data"));
    printed =
        PrintedRights.of(
            rondo, PARTS.stream().map(part -> "--principal-%s=%s".formatted(part, part)).toList());
    superUser.createAcls(printed).all().get();
    topology.launch();
    startOthers();
  }

  private String bootstrap() {
    return kafka.scram().get("bootstrap.servers");
  }

  /** Writes a file with the client settings of a user. */
  private Path clients(String user) throws IOException {
    Properties settings = new Properties();
    settings.putAll(kafka.scram(user));
    return stored(settings, user);
  }

  private Path stored(Properties settings, String user) throws IOException {
    Path file = dir.resolve(user + ".properties");
    try (var out = Files.newBufferedWriter(file)) {
      settings.store(out, null);
    }
    return file;
  }

  private String run(List<String> command, String... options) throws Exception {
    var outcome = rondo.run(command, options);
    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    return outcome.output();
  }

  private void startOthers() throws Exception {
    PostgresServer postgres = PostgresServer.start(dir.resolve("postgres"), 0);
    running.add(postgres);
    PostgresUrl database = PostgresUrl.parse(postgres.url());
    Migration.run(database);
    KafkaSettings settings = KafkaSettings.read(bootstrap(), clients("connect"));
    List<String> java = new ArrayList<>();
    java.add("env");
    java.add(KafkaSettings.FILE_VARIABLE + "=" + clients("connect"));
    java.addAll(JavaCommand.withOptions("256m", List.of(), ConnectWorker.MAIN));
    connect =
        ConnectWorker.start(
            dir.resolve("connect"),
            0,
            ConnectSettings.of(settings, names.connectGroup(), installation.plugins()),
            Launch.to(dir.resolve("connect.log")),
            java);
    running.add(connect);
    sink =
        new SinkConnector(
            connect.url(), "", names, settings, database, () -> replication(settings));
    startApi(postgres);
    await()
        .atMost(BOUND) // the topology creates the sink's topics
        .until(() -> superUser.listTopics().names().get().contains("team.dead-letters"));
    sink.put();
  }

  private static Replication replication(KafkaSettings kafka) {
    return ConnectSettings.replication(kafka);
  }

  private void startApi(PostgresServer postgres) throws Exception {
    Properties settings = new Properties(); // those of librdkafka
    settings.put("security.protocol", "SASL_SSL");
    settings.put("sasl.mechanism", "SCRAM-SHA-512");
    settings.put("sasl.username", "api");
    settings.put("sasl.password", SecuredBroker.PASSWORD);
    settings.put("ssl.ca.location", kafka.scram().get("ssl.truststore.location"));
    Path config = dir.resolve("api.properties");
    Files.write(config, settings.entrySet().stream().map(Object::toString).toList());
    int port = FreePort.choose();
    api = "http://127.0.0.1:" + port;
    ChildProcess process =
        ChildProcess.start(
            "api",
            List.of(
                installation.python().toString(),
                "-m",
                "gunicorn",
                "-c",
                installation.queryApi().resolve("gunicorn.conf.py").toString(),
                "rondo_query_api.app:create_app()"),
            Map.of(
                "RONDO_API_BIND",
                "127.0.0.1:" + port,
                "RONDO_API_WORKERS",
                "1",
                "RONDO_API_DATABASE_URL",
                postgres.url(),
                "RONDO_API_KAFKA_BOOTSTRAP_SERVERS",
                bootstrap(),
                "RONDO_API_KAFKA_CONFIG",
                config.toString(),
                "RONDO_API_KAFKA_SERIES_REQUESTS_TOPIC",
                "team.series-requests",
                "RONDO_API_KAFKA_DEAD_LETTERS_TOPIC",
                "team.dead-letters",
                "RONDO_API_WRITE_TOKENS",
                TOKEN),
            dir,
            Launch.to(dir.resolve("api.log")));
    running.add(process);
    process.awaitReady(BOUND, () -> HttpProbe.isOk(api + "/health"));
  }

  @AfterEach
  void stop() throws Exception {
    for (int n = running.size() - 1; n >= 0; n--) {
      running.get(n).close();
    }
  }

  /** A single test, because a right counts as used if any step has used it. */
  @Test
  void shouldNeedAllPrintedRights() throws Exception {
    shouldCarryPointsAndDeletions();
    shouldNameTheRightThatTheApiLacks("least.two");
    shouldShowAndResendDeadLetters();
    shouldNameTheRightsThatTheSinkLacks();
    shouldNameTheRightThatTheTopologyLacks();
  }

  private void shouldCarryPointsAndDeletions() throws Exception {
    send("least.one", "least.two");
    await()
        .atMost(BOUND)
        .untilAsserted(
            () ->
                assertThat(HttpProbe.get(api + "/render?format=json&from=-1h&target=least.*"))
                    .contains("least.one", "least.two"));

    shouldNameTheRightThatTheApiLacks("least.one"); // before it connects

    await()
        .atMost(BOUND)
        .untilAsserted(
            () ->
                assertThat(HttpProbe.get(api + "/metrics/find?query=least.*"))
                    .contains("two")
                    .doesNotContain("one"));
    String user = "--kafka-config=" + clients("tools");
    assertThat(run(List.of("series", "list"), user, "**")).contains("least.two");
    assertThat(run(List.of("check", "source"), user, "--topic=points")).contains("least.two");
    assertThat(rondo.run("why", user, "least.two").output())
        .contains("as graphite", "team.bundle-rows-", "silent since ")
        .doesNotContain("authorized");
  }

  private void send(String... series) throws Exception {
    long nowS = Instant.now().getEpochSecond();
    Map<String, Object> settings = new HashMap<>(kafka.scram("senders"));
    try (var producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      for (long s = nowS - 600; s < nowS - 300; s += 10) {
        for (String name : series) {
          producer.send(new ProducerRecord<>("points", name + " 1 " + s)).get();
        }
      }
    }
  }

  private HttpResponse<String> delete(String series) throws IOException, InterruptedException {
    return post("/tags/delSeries", "{\"path\": [\"%s\"]}".formatted(series));
  }

  private HttpResponse<String> post(String path, String body)
      throws IOException, InterruptedException {
    return HTTP.send(
        HttpRequest.newBuilder(URI.create(api + path))
            .header("Authorization", "Bearer " + TOKEN)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private void shouldNameTheRightThatTheApiLacks(String series) throws Exception {
    AclBinding right = revoke("api", "team.series-requests", AclOperation.WRITE);

    await()
        .atMost(BOUND)
        .untilAsserted(
            () -> {
              var refused = delete(series);
              assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
              assertThat(refused.body()).contains("needs Write on topic team.series-requests");
            });

    superUser.createAcls(List.of(right)).all().get();
    await().atMost(BOUND).until(() -> delete(series).statusCode() == 200);
  }

  private void shouldShowAndResendDeadLetters() throws Exception {
    try (var producer =
        new KafkaProducer<>(
            new HashMap<String, Object>(kafka.scram("senders")),
            new StringSerializer(),
            new StringSerializer())) {
      producer.send(new ProducerRecord<>("points", "half")).get();
    }
    await()
        .atMost(BOUND)
        .untilAsserted(() -> assertThat(deadLetters()).contains("\"excerpt\":\"half\""));
    String id = new ObjectMapper().readTree(deadLetters()).at("/dead_letters/0/id").asText();

    AclBinding read = revoke("api", "team.dead-letters", AclOperation.READ);
    await()
        .atMost(BOUND)
        .untilAsserted(
            () -> assertThat(deadLetters()).contains("needs Read on topic team.dead-letters"));
    superUser.createAcls(List.of(read)).all().get();
    AclBinding write = revoke("api", "points", AclOperation.WRITE);
    await()
        .atMost(BOUND)
        .untilAsserted(() -> assertThat(resend(id)).contains("needs Write on topic points"));
    superUser.createAcls(List.of(write)).all().get();

    await()
        .atMost(BOUND)
        .untilAsserted(() -> assertThat(resend(id)).contains("\"sent\":1,\"not_sent\":[]"));
    assertThat(resend(id)).contains("\"sent\":0", "sent before");
    await("use of each right of the API").untilAsserted(() -> assertThat(unused("api")).isEmpty());
  }

  private String deadLetters() throws IOException, InterruptedException {
    return post("/dead-letters", "{}").body();
  }

  private String resend(String id) throws IOException, InterruptedException {
    return post("/dead-letters/resend", "{\"id\": [\"%s\"]}".formatted(id)).body();
  }

  private void shouldNameTheRightsThatTheSinkLacks() throws Exception {
    AclBinding write = revoke("connect", "team.dead-letters", AclOperation.WRITE);
    sendWrongRetirement();
    awaitFailure("cannot write 1 of 1 records to the dead-letter queue team.dead-letters");
    superUser.createAcls(List.of(write)).all().get();
    awaitRunning();

    AclBinding read = revoke("connect", "team.series", AclOperation.READ);
    awaitFailure("[team.series]; to see what is missing: ./rondo check access --part=connect");
    superUser.createAcls(List.of(read)).all().get();
    awaitRunning();

    await().atMost(BOUND).untilAsserted(() -> assertThat(unused("connect")).isEmpty());

    reconnect("nobody");
    awaitFailure("The user of the connector's kafka.* settings needs Describe on its topics");
    sink.put();
    awaitRunning();
  }

  /** Makes the sink read topic ids and offsets as another user. */
  private void reconnect(String user) throws Exception {
    URI config = URI.create(connect.url() + "/connectors/" + names.connector() + "/config");
    var settings = (ObjectNode) new ObjectMapper().readTree(HttpProbe.get(config.toString()));
    settings.put("kafka.sasl.jaas.config", kafka.scram(user).get("sasl.jaas.config"));
    var answer =
        HTTP.send(
            HttpRequest.newBuilder(config)
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString(settings.toString()))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  /** Connect can read the record, but the sink cannot: its key is not an ident. */
  private void sendWrongRetirement() throws Exception {
    try (var producer =
        new KafkaProducer<>(
            Map.<String, Object>of("bootstrap.servers", kafka.broker().bootstrap()),
            new StringSerializer(),
            new StringSerializer())) {
      producer.send(new ProducerRecord<>("team.series", "not;an;ident", null)).get();
    }
  }

  private void awaitFailure(String reason) {
    await().atMost(BOUND).untilAsserted(() -> assertThat(sink.status().trace()).contains(reason));
  }

  private void awaitRunning() throws Exception {
    await()
        .atMost(BOUND)
        .pollInterval(Duration.ofSeconds(1)) // Connect stores each restart request in a topic
        .until(
            () -> {
              var status = sink.status();
              if (status.failed()) {
                sink.restartFailed();
              }
              return status.runs();
            });
  }

  private void shouldNameTheRightThatTheTopologyLacks() throws Exception {
    revoke("topology", "team.bundle-rows", AclOperation.WRITE);
    send("least.three");

    assertThat(topology.awaitEnd()).isEqualTo(1);

    assertThat(Files.readString(dir.resolve("data/topology/topology.log")))
        .contains("The topology stops: Kafka at", "needs Write on topic team.bundle-rows");
  }

  private AclBinding revoke(String user, String name, AclOperation operation) throws Exception {
    AclBinding right =
        printed.stream()
            .filter(
                each ->
                    each.entry().principal().equals("User:" + user)
                        && each.pattern().name().equals(name)
                        && each.entry().operation() == operation)
            .findFirst()
            .orElseThrow();
    superUser.deleteAcls(List.of(right.toFilter())).all().get();
    return right;
  }

  /** Returns the printed rights of a user without a recorded operation. */
  private List<AclBinding> unused(String user) throws IOException {
    List<String> operations = Files.readAllLines(dir.resolve("operations"));
    return printed.stream()
        .filter(right -> right.entry().principal().equals("User:" + user))
        .filter(
            right ->
                !operations.contains(
                    "%s %s %s %s"
                        .formatted(
                            user,
                            right.entry().operation(),
                            right.pattern().resourceType(),
                            right.pattern().name())))
        .toList();
  }
}
