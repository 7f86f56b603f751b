package dev.rondo.tools.command;

import dev.rondo.connection.kafka.KafkaConfigOption;
import dev.rondo.connection.kafka.KafkaConnection;
import dev.rondo.topology.config.EnvironmentSettings;
import dev.rondo.topology.config.TopologyConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that select the topology, and how to connect to its Kafka. */
public final class TopologySettings implements ReadSettings {
  @ArgGroup private final Where where = new Where();

  @Mixin private final KafkaConfigOption kafkaConfig = new KafkaConfigOption();

  private Optional<TopologyConfig> settings = Optional.empty();

  /** One of the two; without either, the default of the first. */
  private static final class Where {
    @Option(
        names = "--dir",
        paramLabel = "DIR",
        description = "Data folder of ./rondo up (default: .rondo in the clone).")
    private Path dir;

    @Option(
        names = "--config",
        paramLabel = "FILE",
        description = "Settings file of a topology that ./rondo up did not start.")
    private Path config;
  }

  /** Reads the settings of the topology. */
  public TopologyConfig read() throws IOException {
    Properties properties = properties(where.config, where.dir);
    kafkaConfig.addTo(properties);
    TopologyConfig config = TopologyConfig.of(properties);
    settings = Optional.of(config);
    return config;
  }

  @Override
  public Optional<TopologyConfig> settings() {
    return settings;
  }

  /**
   * Reads the settings of the topology, and checks that its Kafka answers.
   *
   * @throws KafkaConnection.UnavailableException if it does not
   */
  public TopologyConfig connect() throws IOException {
    TopologyConfig config = read();
    KafkaConnection.check(config.kafka());
    return config;
  }

  /** Data folder of {@code ./rondo up}; null = not given. */
  public Path dir() {
    return where.dir;
  }

  /** Data folder of the Rondo that {@code ./rondo up} started; empty = another one is meant. */
  public Optional<Path> home() {
    String root = System.getProperty("rondo.root");
    boolean isOther =
        where.config != null || (where.dir == null && (isGivenByEnvironment() || root == null));
    return isOther
        ? Optional.empty()
        : Optional.of(where.dir == null ? Path.of(root, ".rondo") : where.dir);
  }

  /**
   * Reads the settings: those of {@code config} and the environment, or those that {@code ./rondo
   * up} has written, all of them, in its data folder. The script ./rondo passes the folder of its
   * clone; without it there is no default.
   *
   * @param config the file itself; null = that of the environment, if any
   * @param dir data folder of {@code ./rondo up}; null = {@code .rondo} in the clone, unless the
   *     environment has settings
   */
  public static Properties properties(Path config, Path dir) throws IOException {
    Map<String, String> environment = System.getenv();
    if (config != null) {
      return TopologyConfig.properties(Optional.of(existing(config, "--config")), environment);
    }
    if (dir == null && isGivenByEnvironment()) {
      Optional<Path> file = EnvironmentSettings.file(environment);
      file.ifPresent(each -> existing(each, EnvironmentSettings.FILE_VARIABLE));
      return TopologyConfig.properties(file, environment);
    }
    String root = System.getProperty("rondo.root");
    if (dir == null && root == null) {
      throw CommandException.misuse(
          "the topology's settings are missing (--config, %s)"
              .formatted(EnvironmentSettings.FILE_VARIABLE));
    }
    Path home = dir == null ? Path.of(root, ".rondo") : dir;
    Path file = existing(home.resolve("topology/topology.properties"), "--dir, --config");
    return TopologyConfig.properties(Optional.of(file), Map.of());
  }

  /** Whether the environment has settings of a topology, or names its file. */
  public static boolean isGivenByEnvironment() {
    return System.getenv().entrySet().stream()
        .anyMatch(each -> EnvironmentSettings.isOfTopology(each.getKey(), each.getValue()));
  }

  private static Path existing(Path file, String options) {
    if (!Files.isReadable(file)) {
      throw CommandException.misuse("there is no readable file %s (%s)".formatted(file, options));
    }
    return file;
  }
}
