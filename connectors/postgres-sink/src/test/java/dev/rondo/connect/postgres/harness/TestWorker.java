package dev.rondo.connect.postgres.harness;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.embedded.ConnectWorker;
import dev.rondo.embedded.JavaCommand;
import dev.rondo.embedded.Launch;
import dev.rondo.embedded.ProcessTree;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.provider.FileConfigProvider;

/**
 * A Connect worker in a separate process with the plugin as it is packaged, and its REST API. The
 * worker's class path has no jar of Rondo: everything that the sink needs besides Kafka's jars must
 * be in the plugin.
 */
public final class TestWorker implements AutoCloseable {
  public static final Duration BOUND = Duration.ofSeconds(90);

  private static final Path PLUGINS = Path.of("target", "plugin").toAbsolutePath();
  private static final Path OTHER_VERSIONS = Path.of("../../loadgen/connect-worker/target");
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ConnectWorker worker;
  private final Path log;

  private TestWorker(ConnectWorker worker, Path log) {
    this.worker = worker;
    this.log = log;
  }

  /** Of the version that Rondo is built with. {@code group}: workers that share the connectors. */
  public static TestWorker start(String group) throws IOException {
    String classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(
                entry ->
                    !entry.matches(
                        ".*(postgres-sink|rondo-schemas|schemas/target|/avro|postgresql).*"))
            .collect(Collectors.joining(File.pathSeparator));
    return start(
        group,
        classPath,
        "-Dlog4j2.configurationFile=classpath:dev/rondo/embedded/child-log4j2.properties");
  }

  /** Of another version, from the jars that loadgen/connect-worker has copied. */
  public static TestWorker startVersion(String version, String group) throws IOException {
    Path jars = OTHER_VERSIONS.resolve("connect-" + version).toAbsolutePath();
    Path logging = Files.createTempFile(TestKafka.newFolder("log-"), "log4j", ".properties");
    Files.writeString(
        logging,
        """
        log4j.rootLogger=INFO, out
        log4j.appender.out=org.apache.log4j.ConsoleAppender
        log4j.appender.out.layout=org.apache.log4j.PatternLayout
        log4j.appender.out.layout.ConversionPattern=%d %-5p %c{1} [%t] %m%n
        log4j.logger.org.reflections=ERROR
        """);
    return start(group, jars + "/*", "-Dlog4j.configuration=" + logging.toUri());
  }

  private static TestWorker start(String group, String classPath, String logging)
      throws IOException {
    Path dir = TestKafka.newFolder("connect-");
    Path log = dir.resolve("connect.log");
    var settings =
        Map.of(
            "bootstrap.servers",
            TestKafka.shared().bootstrap(),
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
            FileConfigProvider.class.getName());
    List<String> java = JavaCommand.of(classPath, List.of("-Xmx384m", logging), ConnectWorker.MAIN);
    return new TestWorker(ConnectWorker.start(dir, 0, settings, Launch.to(log), java), log);
  }

  /** {@code host:port}, as the status of tasks names it. */
  public String id() {
    return "127.0.0.1:" + worker.port();
  }

  public String log() throws IOException {
    return Files.readString(log);
  }

  public HttpResponse<String> get(String path) throws Exception {
    return HTTP.send(request(path).build(), HttpResponse.BodyHandlers.ofString());
  }

  /** Without a body, such as {@code /connectors/NAME/stop}. */
  public HttpResponse<String> put(String path) throws Exception {
    return HTTP.send(
        request(path).PUT(HttpRequest.BodyPublishers.noBody()).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** Creates or reconfigures the connector; returns the response. */
  public HttpResponse<String> put(String connector, Map<String, String> config) throws Exception {
    var body = HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(config));
    return HTTP.send(
        request("/connectors/" + connector + "/config").PUT(body).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  public void delete(String connector) throws Exception {
    HTTP.send(
        request("/connectors/" + connector).DELETE().build(),
        HttpResponse.BodyHandlers.discarding());
  }

  /** Ids of the workers that run the tasks of a connector, by task. */
  public Map<Integer, String> tasks(String connector) throws Exception {
    var tasks = new HashMap<Integer, String>();
    for (JsonNode task :
        JSON.readTree(get("/connectors/" + connector + "/status").body()).path("tasks")) {
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
    await().atMost(BOUND).until(() -> tasks(connector).size() == count);
  }

  public void kill() {
    worker.kill();
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

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(worker.url() + path))
        .header("Content-Type", "application/json");
  }
}
