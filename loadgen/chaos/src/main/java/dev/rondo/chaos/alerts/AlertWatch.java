package dev.rondo.chaos.alerts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.embedded.ChildProcess;
import dev.rondo.embedded.FreePort;
import dev.rondo.embedded.Launch;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Prometheus and Alertmanager with the files that {@code ./rondo up} has written, but shorter
 * times. They scrape and evaluate every 1.5 s.
 */
final class AlertWatch implements AutoCloseable {
  /** Times are divided by this. */
  static final int FACTOR = 10;

  static final List<String> PROGRAMS = List.of("prometheus", "prometheus-alertmanager");
  private static final Duration START_BOUND = Duration.ofMinutes(1);
  private static final String INTERVAL = "15s";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  private final List<ChildProcess> processes;
  private final URI alerts;

  private AlertWatch(List<ChildProcess> processes, URI alerts) {
    this.processes = processes;
    this.alerts = alerts;
  }

  /** Programs that are not on the path. */
  static List<String> missing() {
    List<Path> folders = Stream.of(System.getenv("PATH").split(":")).map(Path::of).toList();
    return PROGRAMS.stream()
        .filter(program -> folders.stream().noneMatch(in -> Files.exists(in.resolve(program))))
        .toList();
  }

  /**
   * Starts both.
   *
   * @param dir of {@code ./rondo up}
   * @param targets replaces addresses of the configuration by one or several others
   */
  static AlertWatch start(Path dir, Map<String, String> targets) throws IOException {
    Path folder = dir.resolve("prometheus");
    int prometheus = FreePort.choose();
    int alertmanager = FreePort.choose();
    Path rules = folder.resolve("alerts.yml");
    Files.writeString(rules, ShorterRules.of(Files.readString(rules), FACTOR));
    Path file = folder.resolve("prometheus.yml");
    String config = Files.readString(file).replace(INTERVAL, 15_000 / FACTOR + "ms");
    config = config.replace("127.0.0.1:9093", "127.0.0.1:" + alertmanager);
    for (var target : targets.entrySet()) {
      config = config.replace(target.getKey(), target.getValue());
    }
    Files.writeString(file, config);
    var watch =
        new AlertWatch(
            List.of(
                run(
                    dir,
                    PROGRAMS.get(0),
                    "--config.file=" + file,
                    "--storage.tsdb.path=" + folder.resolve("data"),
                    "--web.listen-address=127.0.0.1:" + prometheus),
                run(
                    dir,
                    PROGRAMS.get(1),
                    "--config.file=" + folder.resolve("alertmanager.yml"),
                    "--storage.path=" + folder.resolve("alertmanager"),
                    "--web.listen-address=127.0.0.1:" + alertmanager,
                    "--cluster.listen-address=")),
            URI.create(
                "http://127.0.0.1:%d/api/v2/alerts?silenced=false&inhibited=false"
                    .formatted(alertmanager)));
    URI ready = URI.create("http://127.0.0.1:%d/-/ready".formatted(prometheus));
    watch.processes.get(0).awaitReady(START_BOUND, () -> watch.get(ready) != null);
    watch.processes.get(1).awaitReady(START_BOUND, () -> watch.firing() != null);
    return watch;
  }

  private static ChildProcess run(Path dir, String... command) {
    Path log = dir.resolve("logs").resolve(command[0] + ".log");
    return ChildProcess.start(command[0], List.of(command), Map.of(), dir, Launch.to(log));
  }

  /** Names of the alerts that fire and are not silenced by another one. */
  Set<String> firing() throws IOException, InterruptedException {
    Set<String> names = new TreeSet<>();
    for (JsonNode alert : JSON.readTree(get(alerts))) {
      names.add(alert.at("/labels/alertname").asText());
    }
    return names;
  }

  private String get(URI uri) throws IOException, InterruptedException {
    var answer = http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException("%s answers %d: %s".formatted(uri, answer.statusCode(), answer.body()));
    }
    return answer.body();
  }

  @Override
  public void close() {
    processes.forEach(ChildProcess::close);
  }
}
