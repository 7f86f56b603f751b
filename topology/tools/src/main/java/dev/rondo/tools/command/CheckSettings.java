package dev.rondo.tools.command;

import dev.rondo.connection.kafka.KafkaConfigOption;
import dev.rondo.connection.kafka.KafkaSettings;
import dev.rondo.topology.config.TopologyConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Properties;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Options that select the settings: those of a topology, or default settings with an address of
 * Kafka.
 */
public final class CheckSettings extends ReadSettings {
  @ArgGroup private final Place place = new Place();

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

  private static final class Place extends SettingsPlace {
    @Option(
        names = "--kafka",
        paramLabel = "BOOTSTRAP",
        description = "Kafka brokers, HOST:PORT[,HOST:PORT], with default settings.")
    private String kafka;
  }

  /** Reads the settings. */
  public TopologyConfig read() throws IOException {
    String kafka = kafka();
    Properties properties = kafka.isEmpty() ? place.properties() : new Properties();
    if (!kafka.isEmpty()) {
      properties.setProperty("bootstrap.servers", kafka);
      properties.setProperty("state.dir", System.getProperty("java.io.tmpdir")); // stays unused
    }
    if (sources != null) {
      properties.remove("sources");
      properties.setProperty("sources.file", sources.toString());
    }
    if (policies != null) {
      properties.setProperty("policies.file", policies.toString());
    }
    return read(properties, kafkaConfig);
  }

  /** The brokers of --kafka, or without --dir and --config those of --kafka-config. */
  private String kafka() {
    if (place.kafka != null) {
      return place.kafka;
    }
    return place.isGiven() ? "" : KafkaSettings.read(null, kafkaConfig.file()).bootstrap();
  }
}
