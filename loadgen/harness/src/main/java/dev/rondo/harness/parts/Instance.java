package dev.rondo.harness.parts;

import dev.rondo.embedded.ChildProcess;
import dev.rondo.embedded.JavaCommand;
import dev.rondo.embedded.Launch;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An instance of the topology: a process that can be killed, stopped, frozen and restarted. */
public final class Instance {
  private static final Pattern PORT = Pattern.compile("health and metrics on port (\\d+)");
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final String id;
  private final Path dir;
  private final Path root;
  private final Properties properties;
  private ChildProcess process;

  /**
   * An instance that does not run yet.
   *
   * @param dir data folder
   * @param root of the checkout
   * @param common properties of all instances
   */
  Instance(String id, Path dir, Path root, Properties common) {
    this.id = id;
    this.dir = dir;
    this.root = root;
    this.properties = new Properties();
    properties.putAll(common);
    properties.put("instance.id", id);
    properties.put("state.dir", dir.resolve("state").toString());
    properties.put("http.port", "0");
  }

  /** Sets a property from the next start on. */
  public void set(String key, String value) {
    properties.put(key, value);
  }

  /** Starts the process without waiting. */
  public void start() {
    Path target = root.resolve("topology/streams/target");
    process =
        ChildProcess.start(
            "topology " + id,
            JavaCommand.of(
                target.resolve("*") + File.pathSeparator + target.resolve("lib").resolve("*"),
                List.of("-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                "dev.rondo.topology.Main",
                writeProperties().toString()),
            Map.of(),
            dir,
            Launch.to(dir.resolve("topology.log")));
  }

  /** Waits until it processes points. */
  public void awaitRunning() {
    process.awaitReady(Duration.ofMinutes(3), () -> isRunning(port()));
  }

  /** Points that it has dropped for a reason since its start. */
  public double dropped(String reason) throws IOException, InterruptedException {
    String metrics =
        HTTP.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/metrics".formatted(port())))
                    .build(),
                BodyHandlers.ofString())
            .body();
    String line = "rondo_drops_points_total{reason=\"%s\"} ".formatted(reason);
    return metrics
        .lines()
        .filter(each -> each.startsWith(line))
        .mapToDouble(each -> Double.parseDouble(each.substring(line.length())))
        .findFirst()
        .orElse(0);
  }

  /** Port of its HTTP endpoints, from its log. */
  private int port() throws IOException {
    Matcher logged = PORT.matcher(Files.readString(log()));
    String port = "0";
    while (logged.find()) {
      port = logged.group(1);
    }
    return Integer.parseInt(port);
  }

  private static boolean isRunning(int port) throws IOException, InterruptedException {
    return HTTP.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/health".formatted(port)))
                    .timeout(Duration.ofSeconds(2))
                    .build(),
                BodyHandlers.discarding())
            .statusCode()
        == 200;
  }

  private Path writeProperties() {
    Path file = dir.resolve("topology.properties");
    try {
      Files.createDirectories(dir);
      try (var out = Files.newBufferedWriter(file)) {
        properties.store(out, null);
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public boolean isAlive() {
    return process != null && process.process().isAlive();
  }

  /** Ends it by SIGKILL; returns when it is gone. */
  public void kill() {
    process.kill();
  }

  /** Ends it by SIGTERM; returns when it has ended. */
  public void stop() {
    process.close();
  }

  /** SIGSTOP: it keeps its connections. */
  public void freeze() {
    signal("STOP");
  }

  /** SIGCONT: it continues. */
  public void resume() {
    signal("CONT");
  }

  private void signal(String name) {
    String pid = Long.toString(process.process().pid());
    try {
      int code = new ProcessBuilder("kill", "-" + name, pid).inheritIO().start().waitFor();
      if (code != 0) {
        throw new IllegalStateException("kill -%s %s ended with %d".formatted(name, pid, code));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  Path log() {
    return dir.resolve("topology.log");
  }

  @Override
  public String toString() {
    return "instance " + id;
  }
}
