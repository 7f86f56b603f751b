package dev.rondo.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The topology as a child process that can be ended and restarted as the same instance, with five
 * commits per second.
 */
public final class TopologyProcess implements AutoCloseable {
  private static final Duration START_BOUND = Duration.ofMinutes(2);
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final Path dir;
  private final int httpPort = FreePort.choose();
  private final Map<String, String> settings = new HashMap<>();
  private final Map<String, String> environment = new HashMap<>();
  private String heap = "512m";
  private String classPath = System.getProperty("java.class.path");
  private ChildProcess process;

  /**
   * Creates a topology that does not run yet.
   *
   * @param dir for its state, its settings and its log
   * @param bootstrap of the broker
   */
  public TopologyProcess(Path dir, String bootstrap) {
    this.dir = dir;
    set("bootstrap.servers", bootstrap);
    set("state.dir", dir.resolve("state"));
    set("http.port", httpPort);
    set("commit.interval.ms", 200);
  }

  /** Sets a property from the next start on. */
  public TopologyProcess set(String key, Object value) {
    settings.put(key, value.toString());
    return this;
  }

  /** Adds environment variables from the next start on. */
  public TopologyProcess environment(Map<String, String> variables) {
    environment.putAll(variables);
    return this;
  }

  /** Sets the heap from the next start on. */
  public TopologyProcess heap(String size) {
    heap = size;
    return this;
  }

  /** Uses another release from the next start on. */
  public TopologyProcess from(String classPath) {
    this.classPath = classPath;
    return this;
  }

  /** Starts the topology and waits until it runs. */
  public void start() {
    launch();
    process.awaitReady(START_BOUND, () -> get("/health").contains("RUNNING"));
  }

  /** Starts the topology and returns at once. */
  public void launch() {
    process =
        ChildProcess.start(
            "topology",
            JavaCommand.of(
                classPath,
                List.of("-Xmx" + heap, "-Dlog4j2.configurationFile=log4j2.properties"),
                "dev.rondo.topology.Main",
                settings().toString()),
            environment,
            dir,
            Launch.to(dir.resolve("topology.log")));
  }

  /** Waits until the topology ends on its own; returns the exit code. */
  public int awaitEnd() {
    return process.awaitEnd(START_BOUND);
  }

  /** Writes and returns the properties file. */
  public Path settings() {
    return PropertiesFile.write(dir.resolve("topology.properties"), settings);
  }

  /** Port of its HTTP endpoints. */
  public int httpPort() {
    return httpPort;
  }

  /** Returns the body of a response over HTTP, for any status. */
  public String get(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPort + path)).build();
    return HTTP.send(request, BodyHandlers.ofString()).body();
  }

  /**
   * Returns the value of a metric.
   *
   * @param name with labels, as in {@code /metrics}
   */
  public double metric(String name) throws IOException, InterruptedException {
    return get("/metrics")
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow();
  }

  /** Returns the points dropped for a reason since its start. */
  public double dropped(String reason) throws IOException, InterruptedException {
    return metric("rondo_drops_points_total{reason=\"" + reason + "\"}");
  }

  /** Returns the number of live objects of a class, after a garbage collection. */
  public int instancesOf(String className) throws IOException {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    long pid = process.process().pid();
    Process histogram = new ProcessBuilder(jcmd, Long.toString(pid), "GC.class_histogram").start();
    try (BufferedReader lines = histogram.inputReader()) {
      return lines
          .lines()
          .map(line -> line.trim().split("\\s+"))
          .filter(fields -> fields.length >= 4 && fields[3].equals(className))
          .mapToInt(fields -> Integer.parseInt(fields[1]))
          .findFirst()
          .orElse(0);
    }
  }

  /** Sends SIGSTOP, which stops the process until {@link #resume}. */
  public void freeze() throws IOException, InterruptedException {
    signal("STOP");
  }

  /** Sends SIGCONT. */
  public void resume() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    String pid = Long.toString(process.process().pid());
    new ProcessBuilder("kill", "-" + name, pid).inheritIO().start().waitFor();
  }

  /** Sends SIGKILL; returns when the process is gone. */
  public void kill() {
    process.kill();
  }

  @Override
  public void close() {
    end();
  }

  /** Sends SIGTERM if the process runs; returns when it has ended. */
  public void end() {
    if (process != null) {
      process.close();
    }
  }
}
