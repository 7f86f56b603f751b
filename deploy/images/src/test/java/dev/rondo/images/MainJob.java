package dev.rondo.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.embedded.ChildProcess;
import dev.rondo.embedded.Commands;
import dev.rondo.embedded.ConnectWorker;
import dev.rondo.embedded.FreePort;
import dev.rondo.embedded.KafkaBroker;
import dev.rondo.embedded.Launch;
import dev.rondo.embedded.PostgresServer;
import dev.rondo.embedded.RunningProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The main job of Rondo, with the parts of a release: /render returns points of a topic. */
final class MainJob implements AutoCloseable {
  private static final Duration BOUND = Duration.ofMinutes(2);
  private static final String TARGET = "hosts.*.load.1m";
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final Path dir;
  private final Runner runner;
  private final KafkaBroker kafka;
  private final PostgresServer postgres;
  private final int topologyPort = FreePort.choose();
  private final int apiPort = FreePort.choose();
  private final List<RunningProcess> others = new ArrayList<>();
  private RunningProcess topology;
  private RunningProcess api;
  private RunningProcess connect;

  /** Starts Kafka and PostgreSQL. */
  MainJob(Path dir, Runner runner) {
    this.dir = dir;
    this.runner = runner;
    kafka = KafkaBroker.start(dir.resolve("kafka"), 0);
    postgres = PostgresServer.start(dir.resolve("postgres"), 0);
  }

  /** Runs from the first point to the end of all parts, with a kill and restart of the topology. */
  void runThroughAKill() throws Exception {
    start();
    awaitRendered(0);
    killTopology();
    long killed = Instant.now().getEpochSecond();
    startTopology();
    awaitRendered(killed);
    endAll();
  }

  void start() throws IOException, InterruptedException {
    Commands.run(runner.rondo("migrate", "--postgres=" + postgres.url()));
    startTopology();
    ConnectWorker worker =
        ConnectWorker.start(
            readable(dir.resolve("connect")),
            0,
            Map.of("bootstrap.servers", kafka.bootstrap(), "plugin.path", runner.plugins()),
            Launch.to(dir.resolve("connect.log")),
            runner.connect());
    connect = worker;
    putConnector(worker);
    api = child("api", runner.api(), apiEnvironment());
    ((ChildProcess) api).awaitReady(BOUND, () -> isOk(apiPort, "/health/ready"));
    others.add(
        child(
            "host-collector",
            runner.rondo("host-collector", "--kafka", kafka.bootstrap(), "--interval", "1s"),
            Map.of()));
  }

  void startTopology() throws IOException {
    Path settings = readable(dir.resolve("settings"));
    Path policies = settings.resolve("policies.yaml");
    Files.writeString(
        policies, "policies: [{name: all, match: '', step: 1s, archives: ['1s:1h']}]");
    Path file = settings.resolve("topology.properties");
    Files.writeString(
        file,
        """
        bootstrap.servers=%s
        state.dir=%s
        http.port=%d
        policies.file=%s
        partitions=2
        """
            .formatted(kafka.bootstrap(), runner.stateDir(), topologyPort, policies));
    ChildProcess child = child("topology", runner.rondo("topology", file.toString()), Map.of());
    topology = child;
    child.awaitReady(BOUND, () -> isOk(topologyPort, "/health"));
  }

  void killTopology() {
    runner.kill(topology);
  }

  /** Waits until a slot that ended after {@code epochSeconds} is rendered with a value. */
  void awaitRendered(long epochSeconds) {
    await("a rendered slot that ended after " + epochSeconds)
        .atMost(BOUND)
        .untilAsserted(() -> assertThat(newestKnown()).isGreaterThan(epochSeconds));
  }

  /** Ends the parts sequentially by SIGTERM. */
  void endAll() {
    for (RunningProcess part : List.of(others.get(0), topology, connect, api)) {
      assertThat(part.process().destroy()).isTrue();
      await("the end of " + part).atMost(BOUND).until(() -> !part.process().isAlive());
    }
  }

  @Override
  public void close() {
    for (RunningProcess part : others) {
      part.close();
    }
    for (RunningProcess part : new RunningProcess[] {api, connect, topology, postgres, kafka}) {
      if (part != null) {
        part.close();
      }
    }
  }

  private ChildProcess child(String name, List<String> command, Map<String, String> environment) {
    return ChildProcess.start(
        name, command, environment, dir, Launch.to(dir.resolve(name + ".log")));
  }

  private Map<String, String> apiEnvironment() {
    return Map.of(
        "RONDO_API_BIND", "127.0.0.1:" + apiPort, "RONDO_API_DATABASE_URL", postgres.url());
  }

  private void putConnector(ConnectWorker worker) throws IOException, InterruptedException {
    var config =
        Map.of(
            "connector.class", "dev.rondo.connect.postgres.PostgresSinkConnector",
            "topics", "rondo.series,rondo.bundle-rows,rondo.events",
            "key.converter", "dev.rondo.connect.postgres.RondoConverter",
            "value.converter", "dev.rondo.connect.postgres.RondoConverter",
            "connection.url", "jdbc:" + postgres.url().replace("rondo@", ""),
            "connection.user", "rondo",
            "kafka.bootstrap.servers", kafka.bootstrap(),
            "consumer.override.isolation.level", "read_committed");
    var request =
        HttpRequest.newBuilder(URI.create(worker.url() + "/connectors/sink/config"))
            .header("Content-Type", "application/json")
            .PUT(HttpRequest.BodyPublishers.ofString(new ObjectMapper().writeValueAsString(config)))
            .build();
    var response = HTTP.send(request, BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
  }

  private static boolean isOk(int port, String path) throws IOException, InterruptedException {
    return get(port, path).statusCode() == 200;
  }

  /** Returns the end of the newest slot with a value, epoch seconds; 0 if there is none. */
  private long newestKnown() throws IOException, InterruptedException {
    var response = get(apiPort, "/render?format=json&from=-5min&target=" + TARGET);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    long newest = 0;
    for (JsonNode point : new ObjectMapper().readTree(response.body()).path(0).path("datapoints")) {
      newest = point.get(0).isNull() ? newest : Math.max(newest, point.get(1).asLong());
    }
    return newest;
  }

  private static HttpResponse<String> get(int port, String path)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port, path)))
            .timeout(Duration.ofSeconds(10))
            .build();
    return HTTP.send(request, BodyHandlers.ofString());
  }

  /** Creates the folder, readable by other users. */
  private Path readable(Path folder) throws IOException {
    Files.createDirectories(folder);
    for (Path each : List.of(dir.getParent(), dir, folder)) {
      Commands.run(List.of("chmod", "a+rx", each.toString()));
    }
    return folder;
  }
}
