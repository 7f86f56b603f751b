package dev.rondo.chaos;

import dev.rondo.embedded.ChildProcess;
import dev.rondo.embedded.FreePort;
import dev.rondo.embedded.JavaCommand;
import dev.rondo.embedded.Launch;
import dev.rondo.embedded.StartFailedException;
import java.io.File;
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
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An instance of the topology beside that of {@code ./rondo up}, with the same settings; started
 * again a second after it has ended.
 */
final class SecondTopology implements Victim, AutoCloseable {
  private static final Duration START_BOUND = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

  private final List<String> command;
  private final Path folder;
  private final Path log;
  private final URI health;
  private final Thread keeper;
  private final AtomicInteger restarts = new AtomicInteger();

  private volatile ChildProcess process;
  private volatile boolean isReady;
  private volatile boolean isClosing;

  private SecondTopology(List<String> command, Path folder, Path log, int port) {
    this.command = command;
    this.folder = folder;
    this.log = log;
    this.health = URI.create("http://127.0.0.1:%d/health".formatted(port));
    this.keeper = new Thread(this::keep, "keep-topology-2");
    keeper.setDaemon(true);
  }

  /**
   * Begins to start it.
   *
   * @param dir data folder of the {@code ./rondo up} that has started the first one
   */
  static SecondTopology start(Path root, Path dir) throws IOException {
    Path folder = Files.createDirectories(dir.resolve("topology-2"));
    int port = FreePort.choose();
    var properties = new Properties();
    try (var in = Files.newBufferedReader(dir.resolve("topology/topology.properties"))) {
      properties.load(in);
    }
    properties.setProperty("instance.id", "2");
    properties.setProperty("http.port", Integer.toString(port));
    properties.setProperty("state.dir", folder.resolve("state").toString());
    Path file = folder.resolve("topology.properties");
    try (var out = Files.newBufferedWriter(file)) {
      properties.store(out, null);
    }
    Path target = root.resolve("topology/target");
    List<String> command =
        JavaCommand.of(
            target.resolve("*") + File.pathSeparator + target.resolve("lib").resolve("*"),
            List.of("-Xmx" + System.getenv().getOrDefault("RONDO_TOPOLOGY_HEAP", "1g")),
            "dev.rondo.topology.Main",
            file.toString());
    var topology = new SecondTopology(command, folder, dir.resolve("logs/topology-2.log"), port);
    topology.keeper.start();
    return topology;
  }

  private void keep() {
    while (!isClosing) {
      process = ChildProcess.start("topology-2", command, Map.of(), folder, Launch.to(log));
      try {
        process.awaitReady(START_BOUND, this::answers);
        isReady = true;
        process.process().onExit().join();
      } catch (StartFailedException e) {
        // ended or killed before it was ready: the log tells, and it is started again
      }
      isReady = false;
      try {
        Thread.sleep(PAUSE.toMillis());
      } catch (InterruptedException e) {
        return; // closing
      }
      restarts.incrementAndGet();
    }
  }

  private boolean answers() throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(health).timeout(Duration.ofSeconds(2)).build();
    return HTTP.send(request, BodyHandlers.discarding()).statusCode() == 200;
  }

  @Override
  public boolean isReady() {
    return isReady;
  }

  @Override
  public void kill() {
    process.kill();
    isReady = false;
  }

  @Override
  public int restarts() {
    return restarts.get();
  }

  /** SIGTERM; returns when it has ended. */
  @Override
  public void close() {
    isClosing = true;
    keeper.interrupt();
    process.close();
  }
}
