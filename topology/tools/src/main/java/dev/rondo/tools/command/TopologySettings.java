package dev.rondo.tools.command;

import dev.rondo.schemas.kafka.KafkaConfigOption;
import dev.rondo.schemas.kafka.KafkaConnection;
import dev.rondo.topology.config.TopologyConfig;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
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
    Properties properties = load(find(where.config, where.dir));
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

  /** The properties in a file. */
  public static Properties load(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    }
    return properties;
  }

  /**
   * Finds the settings file. The script ./rondo passes the folder of its clone; without it there is
   * no default.
   *
   * @param config the file itself; null = not given
   * @param dir data folder of {@code ./rondo up}; null = {@code .rondo} in the clone
   */
  public static Path find(Path config, Path dir) {
    if (config != null) {
      return existing(config, "--config");
    }
    String root = System.getProperty("rondo.root");
    if (dir == null && root == null) {
      throw CommandException.misuse("the topology's settings are missing (--config)");
    }
    Path home = dir == null ? Path.of(root, ".rondo") : dir;
    return existing(home.resolve("topology/topology.properties"), "--dir, --config");
  }

  private static Path existing(Path file, String options) {
    if (!Files.isReadable(file)) {
      throw CommandException.misuse("there is no readable file %s (%s)".formatted(file, options));
    }
    return file;
  }
}
