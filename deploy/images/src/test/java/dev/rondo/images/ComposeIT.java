package dev.rondo.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.ChildProcess;
import dev.rondo.embedded.FreePort;
import dev.rondo.embedded.JavaCommand;
import dev.rondo.embedded.KafkaBroker;
import dev.rondo.embedded.Launch;
import dev.rondo.embedded.PostgresServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands, variables and files of deploy/compose start the parts of a release and do the main
 * job. Without containers: a build server has no network between them.
 */
class ComposeIT {
  private static final Duration BOUND = Duration.ofMinutes(2);
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir Path dir;
  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private final int apiPort = FreePort.choose();
  private Path release;

  @AfterEach
  void stop() throws Exception {
    while (!running.isEmpty()) {
      running.pop().close();
    }
  }

  @Test
  void shouldDoTheMainJob() throws Exception {
    Release.make();
    release = Release.unpack(dir.resolve("opt"));
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
                "POSTGRES_FILL", "rondo"));

    assertThat(start(compose, "migrate").awaitEnd(BOUND)).isZero();
    for (String service : List.of("topology", "connect", "fill", "api")) {
      start(compose, service);
    }
    running.push(
        ChildProcess.start(
            "host-collector",
            List.of(rondo(), "host-collector", "--kafka", kafka.bootstrap(), "--interval", "1s"),
            Map.of(),
            dir,
            Launch.to(dir.resolve("host-collector.log"))));

    await().atMost(BOUND).ignoreExceptions().until(() -> render().contains("datapoints"));
  }

  /** Starts what the container of a service runs, with the files and ports of this test. */
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
    if (name.equals("api")) {
      environment.put("RONDO_API_BIND", "127.0.0.1:" + apiPort);
    }
    var child =
        ChildProcess.start(name, command, environment, dir, Launch.to(dir.resolve(name + ".log")));
    running.push(child);
    return child;
  }

  /** Copies the files of /etc/rondo, with folders of this test in them. */
  private Map<String, String> changes() throws IOException {
    Path settings = Files.createDirectories(dir.resolve("etc"));
    var changes =
        Map.of(
            "/etc/rondo",
            settings.toString(),
            "/tmp/",
            dir + "/",
            "0.0.0.0:8083",
            "127.0.0.1:" + FreePort.choose(),
            "/opt/rondo/connect/plugins",
            Release.unpackPlugin(dir.resolve("plugins")).toString());
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
