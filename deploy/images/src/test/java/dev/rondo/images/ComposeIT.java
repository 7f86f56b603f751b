package dev.rondo.images;

import static java.util.Locale.ROOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.ChildProcess;
import dev.rondo.embedded.FreePort;
import dev.rondo.embedded.JavaCommand;
import dev.rondo.embedded.KafkaBroker;
import dev.rondo.embedded.Launch;
import dev.rondo.embedded.PostgresServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands, variables and files of deploy/compose start the parts of a release and do the main
 * job. Runs no containers, because a build server has no network between them.
 */
@Tag("long")
class ComposeIT {
  private static final Duration BOUND = Duration.ofMinutes(2);
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir Path dir;
  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private final int apiPort = FreePort.choose();
  private final Map<String, String> addresses = new HashMap<>();
  private Path release;

  @AfterEach
  void stop() throws Exception {
    while (!running.isEmpty()) {
      running.pop().close();
    }
  }

  @BeforeEach
  void unpack() throws IOException {
    Release.make();
    release = Release.unpack(dir.resolve("opt"));
  }

  @Test
  void shouldDoTheMainJobWithExternalKafkaAndPostgres() throws Exception {
    var kafka = KafkaBroker.start(dir.resolve("kafka"), 0);
    running.push(kafka);
    var postgres = PostgresServer.start(dir.resolve("postgres"), 0);
    running.push(postgres);
    String server = "127.0.0.1:%d/rondo".formatted(postgres.port());
    ComposeFile compose =
        ComposeFile.read(
            Map.of(
                "KAFKA", kafka.bootstrap(),
                "POSTGRES", server,
                "POSTGRES_OWNER", "rondo",
                "POSTGRES_SINK", "rondo",
                "POSTGRES_API", "rondo",
                "POSTGRES_FILL", "rondo"),
            "compose.yaml");
    shouldDoTheMainJob(compose, kafka.bootstrap());
  }

  /**
   * Everything with the unmodified .env. Like their images, the broker gets its settings from the
   * service's variables, and the server its user, password and database, and it requires passwords.
   */
  @Test
  void shouldDoTheMainJobWithEverything() throws Exception {
    ComposeFile compose = ComposeFile.read(Map.of(), "compose.yaml", "everything.yaml");
    int port = FreePort.choose();
    String bootstrap = "127.0.0.1:" + port;
    startKafka(compose.service("kafka").environment(), port);
    PostgresServer postgres = startPostgres(compose.service("postgres").environment());
    addresses.put("kafka:9092", bootstrap);
    addresses.put("postgres:5432", "127.0.0.1:" + postgres.port());
    shouldDoTheMainJob(compose, bootstrap);
  }

  private void shouldDoTheMainJob(ComposeFile compose, String bootstrap) throws Exception {
    assertThat(start(compose, "migrate").awaitEnd(BOUND)).isZero();
    var parts = new ArrayList<ChildProcess>();
    for (String service : List.of("topology", "connect", "fill", "api")) {
      parts.add(start(compose, service));
    }
    running.push(
        ChildProcess.start(
            "host-collector",
            List.of(rondo(), "host-collector", "--kafka", bootstrap, "--interval", "1s"),
            Map.of(),
            dir,
            Launch.to(dir.resolve("host-collector.log"))));

    await("a value of this machine at /render")
        .atMost(BOUND)
        .ignoreExceptions()
        .failFast(
            "a part has ended", () -> parts.stream().anyMatch(part -> !part.process().isAlive()))
        .until(() -> render().contains("datapoints"));
  }

  /** Starts Kafka; {@code KAFKA_NODE_ID} is {@code node.id}. */
  private void startKafka(Map<String, String> environment, int port) throws IOException {
    String bootstrap = "127.0.0.1:" + port;
    String controller = "127.0.0.1:" + FreePort.choose();
    Map<String, String> here =
        Map.of(
            "INSIDE://:9092",
            "INSIDE://" + bootstrap,
            "kafka:9092",
            bootstrap,
            "CONTROLLER://:9093",
            "CONTROLLER://" + controller,
            "localhost:9093",
            controller,
            ":9094",
            ":" + FreePort.choose(),
            "/var/lib/kafka/data",
            dir.resolve("kafka").toString());
    var settings = new StringBuilder();
    environment.forEach(
        (variable, value) ->
            settings.append(
                "%s=%s%n"
                    .formatted(
                        variable.replaceFirst("KAFKA_", "").toLowerCase(ROOT).replace('_', '.'),
                        ComposeFile.replaced(value, here))));
    Path file = Files.writeString(dir.resolve("server.properties"), settings);
    var command =
        new ArrayList<>(JavaCommand.withOptions("512m", List.of(), "dev.rondo.embedded.KafkaMain"));
    command.addAll(List.of(file.toString(), "5rYQsLQ0Q2yB3K0lTzv1Zg"));
    var kafka =
        ChildProcess.start("kafka", command, Map.of(), dir, Launch.to(dir.resolve("kafka.log")));
    running.push(kafka);
    kafka.awaitReady(BOUND, () -> isListening(port));
  }

  private PostgresServer startPostgres(Map<String, String> environment) throws SQLException {
    var postgres =
        PostgresServer.start(
            dir.resolve("postgres"), 0, Launch.to(dir.resolve("postgres.log")), "another");
    running.push(postgres);
    String owner = environment.get("POSTGRES_USER");
    try (var connection = DriverManager.getConnection(postgres.jdbcUrl(), "rondo", "another");
        var statement = connection.createStatement()) {
      statement.execute(
          "create role %s superuser login password '%s'"
              .formatted(owner, environment.get("POSTGRES_PASSWORD")));
      statement.execute(
          "alter database %s owner to %s".formatted(environment.get("POSTGRES_DB"), owner));
    }
    return postgres;
  }

  private static boolean isListening(int port) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** Starts the command of a service's container, with the files and ports of this test. */
  private ChildProcess start(ComposeFile compose, String name) throws IOException {
    ComposeFile.Service service = compose.service(name).with(changes());
    var command = new ArrayList<String>();
    switch (service.image()) {
      case "rondo-tools" -> command.add(rondo());
      case "rondo-topology" -> command.addAll(List.of(rondo(), "topology"));
      case "rondo-api" ->
          command.addAll(List.of("env", "RONDO_VENV=" + Release.venv(), rondo(), "api"));
      case "rondo-connect" -> {
        List<String> entrypoint = service.entrypoint();
        command.addAll(
            JavaCommand.withOptions("512m", List.of(), entrypoint.get(entrypoint.size() - 1)));
      }
      default -> throw new IllegalArgumentException(service.image());
    }
    command.addAll(service.command());
    Map<String, String> environment = new HashMap<>(service.environment());
    switch (name) {
      case "api" -> environment.put("RONDO_API_BIND", "127.0.0.1:" + apiPort);
      case "topology" ->
          environment.put("RONDO_TOPOLOGY_HTTP_PORT", Integer.toString(FreePort.choose()));
      default -> {}
    }
    var child =
        ChildProcess.start(name, command, environment, dir, Launch.to(dir.resolve(name + ".log")));
    running.push(child);
    return child;
  }

  /** Copies the files of /etc/rondo, with the folders of this test. */
  private Map<String, String> changes() throws IOException {
    Path settings = Files.createDirectories(dir.resolve("etc"));
    var changes = new HashMap<>(addresses);
    changes.put("/etc/rondo", settings.toString());
    changes.put("/tmp/", dir + "/");
    changes.put("0.0.0.0:8083", "127.0.0.1:" + FreePort.choose());
    changes.put(
        "/opt/rondo/connect/plugins", Release.unpackPlugin(dir.resolve("plugins")).toString());
    for (String file :
        List.of("sources.yaml", "policies.yaml", "connect.properties", "sink.properties")) {
      String text = Files.readString(ComposeFile.FOLDER.resolve(file));
      Files.writeString(settings.resolve(file), ComposeFile.replaced(text, changes));
    }
    return changes;
  }

  private String rondo() {
    return release.resolve("bin/rondo").toString();
  }

  private String render() throws IOException, InterruptedException {
    String query = "/render?format=json&noNullPoints=true&from=-5min&target=hosts.*.memory.total";
    URI uri = URI.create("http://127.0.0.1:%d%s".formatted(apiPort, query));
    return HTTP.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
  }
}
