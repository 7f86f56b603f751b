package dev.rondo.connect.postgres.harness;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.connect.clock.ClockGuard;
import dev.rondo.connect.postgres.PostgresSinkConnector;
import dev.rondo.connect.postgres.RondoConverter;
import dev.rondo.connect.rest.RestGuard;
import dev.rondo.embedded.ConnectWorker;
import dev.rondo.embedded.FakeClock;
import dev.rondo.embedded.FreePort;
import dev.rondo.embedded.JavaCommand;
import dev.rondo.embedded.JmxExporter;
import dev.rondo.embedded.Launch;
import dev.rondo.embedded.ProcessTree;
import dev.rondo.testbed.TestBed;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.provider.FileConfigProvider;
import org.apache.kafka.connect.rest.ConnectRestExtension;

/**
 * A Connect worker in a separate process with the plugin as it is packaged, and its REST API. The
 * worker's class path has no jar of Rondo: everything that the sink needs besides Kafka's jars must
 * be in the plugin.
 */
public final class TestWorker implements AutoCloseable {
  public static final Duration BOUND = Duration.ofMinutes(2);

  private static final Path PLUGINS = Path.of("target", "plugin").toAbsolutePath();
  private static final Path AGENT = Path.of("target/jmx-exporter/jmx_prometheus_javaagent.jar");
  private static final Path OTHER_VERSIONS = Path.of("../../loadgen/connect-worker/target");
  private static final Path RULES = Path.of("prometheus", "jmx-exporter.yml");
  private static final String STANDALONE = "org.apache.kafka.connect.cli.ConnectStandalone";
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final ObjectMapper JSON = new ObjectMapper();
  private static TestWorker shared;

  /** What one worker has and others have not; each may be null but the environment. */
  private record Special(
      Path token,
      Class<? extends ConnectRestExtension> extension,
      Map<String, String> environment,
      String main) {
    static final Special NONE = new Special(null, null, Map.of(), ConnectWorker.MAIN);

    static Special guarded(Path token) {
      return new Special(token, RestGuard.class, Map.of(), ConnectWorker.MAIN);
    }
  }

  private final String group;
  private final ConnectWorker worker;
  private final Path log;
  private final String metricsUrl;
  private final Path token;

  private TestWorker(String group, ConnectWorker worker, Path log, String metricsUrl, Path token) {
    this.group = group;
    this.worker = worker;
    this.log = log;
    this.metricsUrl = metricsUrl;
    this.token = token;
  }

  /**
   * The worker of this JVM, of the version that Rondo is built with, without connectors. It exports
   * its metrics.
   */
  public static synchronized TestWorker shared() throws Exception {
    if (shared == null) {
      var exporter = new JmxExporter(AGENT, RULES, FreePort.choose());
      shared = start(TestBed.unique("connect-"), exporter.url(), exporter.options(), Special.NONE);
    }
    shared.deleteConnectors();
    return shared;
  }

  /** Alone, with a REST API that is closed to all but those with the token in this file. */
  public static TestWorker startGuarded(Path token) throws IOException {
    return start(TestBed.unique("connect-"), null, List.of(), Special.guarded(token));
  }

  /** Alone, with a clock of its own. */
  public static TestWorker startWith(FakeClock clock) throws IOException {
    var special = new Special(null, null, clock.environment(), ConnectWorker.MAIN);
    return start(TestBed.unique("connect-"), null, List.of(), special);
  }

  /** The same without a group, as the chart runs them. */
  public static TestWorker startStandalone(FakeClock clock) throws IOException {
    var special = new Special(null, null, clock.environment(), STANDALONE);
    return start(TestBed.unique("connect-"), null, List.of(), special);
  }

  /** The same, which ends when its clock is set back. */
  public static TestWorker startEnding(FakeClock clock) throws IOException {
    var special = new Special(null, ClockGuard.class, clock.environment(), ConnectWorker.MAIN);
    return start(TestBed.unique("connect-"), null, List.of(), special);
  }

  /** Another one in the same group, with the clock of the machine. */
  public TestWorker startBeside() throws IOException {
    Special special = token == null ? Special.NONE : Special.guarded(token);
    return start(group, null, List.of(), special);
  }

  private static TestWorker start(
      String group, String metricsUrl, List<String> options, Special special) throws IOException {
    String classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(
                entry ->
                    !entry.matches(
                        ".*(postgres-sink|rondo-schemas|schemas/target|/avro|postgresql).*"))
            .collect(Collectors.joining(File.pathSeparator));
    var all = new ArrayList<>(options);
    all.add("-Dlog4j2.configurationFile=classpath:dev/rondo/embedded/child-log4j2.properties");
    return start(group, classPath, metricsUrl, all, special);
  }

  /** Alone, of another version, from the jars that loadgen/connect-worker has copied. */
  public static TestWorker startVersion(String version) throws IOException {
    Path jars = OTHER_VERSIONS.resolve("connect-" + version).toAbsolutePath();
    Path logging = Files.createTempFile(TestBed.folder("log-"), "log4j", ".properties");
    Files.writeString(
        logging,
        """
        log4j.rootLogger=INFO, out
        log4j.appender.out=org.apache.log4j.ConsoleAppender
        log4j.appender.out.layout=org.apache.log4j.PatternLayout
        log4j.appender.out.layout.ConversionPattern=%d %-5p %c{1} [%t] %m%n
        log4j.logger.org.reflections=ERROR
        """);
    return start(
        TestBed.unique("connect-"),
        jars + "/*",
        null,
        List.of("-Dlog4j.configuration=" + logging.toUri()),
        Special.NONE);
  }

  private static TestWorker start(
      String group, String classPath, String metricsUrl, List<String> options, Special special)
      throws IOException {
    Path dir = TestBed.folder("connect-");
    Path log = dir.resolve("connect.log");
    var settings = new HashMap<String, String>();
    if (special.extension() != null) {
      settings.put("rest.extension.classes", special.extension().getName());
    }
    if (special.token() != null) {
      settings.put(RestGuard.TOKEN_FILE, special.token().toString());
    }
    settings.putAll(
        Map.of(
            "bootstrap.servers",
            TestBed.bootstrap(),
            "plugin.path",
            PLUGINS.toString(),
            "group.id",
            group,
            "session.timeout.ms",
            "6000", // a killed worker is noticed sooner
            "heartbeat.interval.ms",
            "2000",
            "config.providers",
            "file",
            "config.providers.file.class",
            FileConfigProvider.class.getName()));
    if (special.main().equals(STANDALONE)) {
      settings.put("offset.storage.file.filename", dir.resolve("offsets").toString());
    }
    var all = new ArrayList<>(options);
    all.add("-Xmx384m");
    List<String> java = JavaCommand.of(classPath, all, special.main());
    Launch launch = Launch.to(log).with(inherited -> inherited.putAll(special.environment()));
    var worker = ConnectWorker.start(dir, 0, settings, launch, java);
    return new TestWorker(group, worker, log, metricsUrl, special.token());
  }

  /** Names the topics of its state, such as {@code GROUP-config}. */
  public String group() {
    return group;
  }

  /** Where Prometheus reads its metrics; null: nowhere. */
  public String metricsUrl() {
    return metricsUrl;
  }

  /** {@code host:port}, as the status of tasks names it. */
  public String id() {
    return "127.0.0.1:" + worker.port();
  }

  /** What it has logged so far. */
  public String log() throws IOException {
    return Files.readString(log);
  }

  public HttpResponse<String> get(String path) throws Exception {
    return send("GET", path, "");
  }

  /** Without a body, such as {@code /connectors/NAME/stop}. */
  public HttpResponse<String> put(String path) throws Exception {
    return send("PUT", path, "");
  }

  /** Pauses a connector; returns when its first task is paused. */
  public void pause(String connector) throws Exception {
    put("/connectors/" + connector + "/pause");
    await("the task is paused")
        .atMost(BOUND)
        .until(
            () ->
                get("/connectors/" + connector + "/status")
                    .body()
                    .contains("{\"id\":0,\"state\":\"PAUSED\""));
  }

  public HttpResponse<String> post(String path) throws Exception {
    return send("POST", path, "");
  }

  /**
   * Creates or reconfigures the connector; returns the response. A group whose leader was just
   * killed, or that is rebalancing, is asked again.
   */
  public HttpResponse<String> put(String connector, Map<String, String> config) throws Exception {
    String body = JSON.writeValueAsString(config);
    return await("an answer of the group's leader")
        .atMost(BOUND)
        .until(
            () -> send("PUT", path(connector) + "/config", body),
            response -> response.statusCode() != 409 && response.statusCode() != 500);
  }

  /** What each config of the sink has; tests add to it. */
  public static Map<String, String> sinkConfig(String url, int tasks, String... topics) {
    return new HashMap<>(
        Map.of(
            "connector.class", PostgresSinkConnector.class.getName(),
            "tasks.max", Integer.toString(tasks),
            "topics", String.join(",", topics),
            "key.converter", RondoConverter.class.getName(),
            "value.converter", RondoConverter.class.getName(),
            "connection.url", url));
  }

  /** Returns the errors of a config of the sink. */
  public String validate(Map<String, String> config) throws Exception {
    String plugin = PostgresSinkConnector.class.getSimpleName();
    String path = "/connector-plugins/%s/config/validate".formatted(plugin);
    return send("PUT", path, JSON.writeValueAsString(config)).body();
  }

  /** Returns when the worker no longer has the connector. */
  public void delete(String connector) throws Exception {
    send("DELETE", path(connector), "");
    await("no connector " + connector).until(() -> get(path(connector)).statusCode() == 404);
  }

  /** Deletes what tests have created. */
  public void deleteConnectors() throws Exception {
    for (JsonNode name : JSON.readTree(get("/connectors").body())) {
      delete(name.asText());
    }
  }

  private static String path(String connector) {
    return "/connectors/" + URLEncoder.encode(connector, UTF_8).replace("+", "%20");
  }

  /** Ids of the workers that run the tasks of a connector, by task. */
  public Map<Integer, String> tasks(String connector) throws Exception {
    var tasks = new HashMap<Integer, String>();
    for (JsonNode task : JSON.readTree(get(path(connector) + "/status").body()).path("tasks")) {
      String state = task.path("state").asText();
      if (state.equals("FAILED")) {
        throw new AssertionError(task.path("trace").asText());
      }
      if (state.equals("RUNNING")) {
        tasks.put(task.path("id").asInt(), task.path("worker_id").asText());
      }
    }
    return tasks;
  }

  public void awaitTasks(String connector, int count) {
    await(count + " running tasks of " + connector)
        .atMost(BOUND)
        .untilAsserted(() -> assertThat(tasks(connector)).hasSize(count));
  }

  public void kill() {
    worker.kill();
  }

  /** Returns when the process has ended by itself. */
  public void awaitEnd() {
    await("the worker has ended").atMost(BOUND).until(() -> !worker.process().isAlive());
  }

  /** Freezes the process, which does not notice. */
  public void freeze() throws Exception {
    signal("-STOP");
  }

  public void thaw() throws Exception {
    signal("-CONT");
  }

  @Override
  public void close() {
    worker.close();
  }

  private void signal(String name) throws Exception {
    for (ProcessHandle process : ProcessTree.of(worker.process()).members()) {
      new ProcessBuilder("kill", name, Long.toString(process.pid())).inheritIO().start().waitFor();
    }
  }

  /** Again while the group rebalances, which the worker answers with 409. */
  private HttpResponse<String> send(String method, String path, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(worker.url() + path))
            .header("Content-Type", "application/json")
            .header("Authorization", "Bearer " + (token == null ? "" : Files.readString(token)))
            .method(
                method,
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body))
            .build();
    return await(method + " " + path)
        .pollDelay(Duration.ZERO)
        .atMost(BOUND)
        .until(
            () -> HTTP.send(request, HttpResponse.BodyHandlers.ofString()),
            answer -> answer.statusCode() != 409);
  }
}
