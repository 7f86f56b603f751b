package dev.rondo.chaos.part;

import dev.rondo.connection.postgres.PostgresUrl;
import dev.rondo.embedded.ChildProcess;
import dev.rondo.embedded.ConnectWorker;
import dev.rondo.embedded.FreePort;
import dev.rondo.embedded.JavaCommand;
import dev.rondo.embedded.Launch;
import dev.rondo.embedded.RunningProcess;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * A second instance of the topology and a second Connect worker, beside those of {@code ./rondo up}
 * and with the same settings.
 *
 * @param dir data folder of {@code ./rondo up}
 */
public record SecondParts(Path dir) {
  private static final Duration START_BOUND = Duration.ofMinutes(2);

  /** The second instance of the topology, {@code instance.id} 2. */
  public ManagedTarget.Starter topology(int port) {
    return (root, launch) -> {
      Path folder = folder(Part.TOPOLOGY_2);
      Properties properties = read(dir.resolve("topology/topology.properties"));
      properties.setProperty("instance.id", "2");
      properties.setProperty("http.port", Integer.toString(port));
      properties.setProperty("state.dir", folder.resolve("state").toString());
      Path file = write(properties, folder.resolve("topology.properties"));
      Path target = root.resolve("topology/streams/target");
      List<String> command =
          JavaCommand.of(
              target.resolve("*") + File.pathSeparator + target.resolve("lib").resolve("*"),
              List.of("-Xmx" + System.getenv().getOrDefault("RONDO_TOPOLOGY_HEAP", "1g")),
              "dev.rondo.topology.Main",
              file.toString());
      var child = ChildProcess.start("topology-2", command, Map.of(), folder, launch);
      child.awaitReady(START_BOUND, () -> Metrics.isHealthy("http://127.0.0.1:" + port));
      return child;
    };
  }

  /** The second worker, in the group of the first: it takes over the tasks of a failed worker. */
  public RunningProcess connect(Path root, Launch launch) {
    Properties first = read(dir.resolve("connect/connect.properties"));
    Path plugins = root.resolve("connectors/postgres-sink/target/plugin");
    String heap = System.getenv().getOrDefault("RONDO_CONNECT_HEAP", ConnectWorker.DEFAULT_HEAP);
    Map<String, String> settings = new HashMap<>();
    for (String same :
        List.of(
            "bootstrap.servers", "group.id", "rest.extension.classes", "rondo.rest.token.file")) {
      settings.put(same, first.getProperty(same));
    }
    settings.put("plugin.path", plugins.toAbsolutePath().toString());
    String passwords = dir.resolve("connect/pgpass").toString();
    return ConnectWorker.start(
        folder(Part.CONNECT_2),
        FreePort.choose(),
        settings,
        launch.with(environment -> environment.put(PostgresUrl.PASSWORD_FILE_VARIABLE, passwords)),
        JavaCommand.withOptions(heap, List.of(), ConnectWorker.MAIN));
  }

  private Path folder(Part part) {
    try {
      return Files.createDirectories(dir.resolve(part.label()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Properties read(Path file) {
    var properties = new Properties();
    try (var in = Files.newBufferedReader(file)) {
      properties.load(in);
      return properties;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path write(Properties properties, Path file) {
    try (var out = Files.newBufferedWriter(file)) {
      properties.store(out, null);
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
