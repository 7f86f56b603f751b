package dev.rondo.tools.command;

import dev.rondo.connection.kafka.KafkaConfigOption;
import dev.rondo.connection.kafka.KafkaConnection;
import dev.rondo.topology.config.EnvironmentSettings;
import dev.rondo.topology.config.TopologyConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;

/** Options that select the topology, and how to connect to its Kafka. */
public final class TopologySettings extends ReadSettings {
  @ArgGroup private final SettingsPlace place = new SettingsPlace();

  @Mixin private final KafkaConfigOption kafkaConfig = new KafkaConfigOption();

  /** Reads the settings of the topology. */
  public TopologyConfig read() throws IOException {
    return read(place.properties(), kafkaConfig);
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
    return place.dir;
  }

  /** Data folder of the Rondo that {@code ./rondo up} started; empty = another one is meant. */
  public Optional<Path> home() {
    return place.home();
  }

  /** Whether the environment has settings of a topology, or names its file. */
  public static boolean isGivenByEnvironment() {
    return System.getenv().entrySet().stream()
        .anyMatch(each -> EnvironmentSettings.isOfTopology(each.getKey(), each.getValue()));
  }
}
