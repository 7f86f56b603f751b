package dev.rondo.tools.check;

import dev.rondo.connection.kafka.KafkaConfigOption;
import dev.rondo.connection.kafka.KafkaSettings;
import dev.rondo.tools.command.ReadSettings;
import dev.rondo.tools.command.TopologySettings;
import dev.rondo.topology.config.TopologyConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Options that select the settings: those of a topology, or default settings with an address of
 * Kafka.
 */
final class SettingsOptions implements ReadSettings {
  @ArgGroup private final Where where = new Where();

  @Option(
      names = "--sources",
      paramLabel = "FILE",
      description = "Sources file, instead of that of the settings.")
  private Path sources;

  @Option(
      names = "--policies",
      paramLabel = "FILE",
      description = "Policies file, instead of that of the settings.")
  private Path policies;

  @Mixin private final KafkaConfigOption kafkaConfig = new KafkaConfigOption();

  private Optional<TopologyConfig> settings = Optional.empty();

  /** One of the three; without any, the default of the second. */
  private static final class Where {
    @Option(
        names = "--kafka",
        paramLabel = "BOOTSTRAP",
        description = "Kafka brokers, HOST:PORT[,HOST:PORT], with default settings.")
    private String kafka;

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

  TopologyConfig config() throws IOException {
    Properties properties = properties();
    kafkaConfig.addTo(properties);
    if (sources != null) {
      properties.remove("sources");
      properties.setProperty("sources.file", sources.toString());
    }
    if (policies != null) {
      properties.setProperty("policies.file", policies.toString());
    }
    TopologyConfig config = TopologyConfig.of(properties);
    settings = Optional.of(config);
    return config;
  }

  @Override
  public Optional<TopologyConfig> settings() {
    return settings;
  }

  private Properties properties() throws IOException {
    String kafka = kafka();
    if (kafka.isEmpty()) {
      return TopologySettings.properties(where.config, where.dir);
    }
    Properties properties = new Properties();
    properties.setProperty("bootstrap.servers", kafka);
    properties.setProperty("state.dir", System.getProperty("java.io.tmpdir")); // stays unused
    return properties;
  }

  /** The brokers of --kafka, or without --dir and --config those of --kafka-config. */
  private String kafka() {
    if (where.kafka != null) {
      return where.kafka;
    }
    boolean isTopologyGiven =
        where.dir != null || where.config != null || TopologySettings.isGivenByEnvironment();
    return isTopologyGiven ? "" : KafkaSettings.read(null, kafkaConfig.file()).bootstrap();
  }
}
