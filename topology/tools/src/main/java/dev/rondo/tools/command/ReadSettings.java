package dev.rondo.tools.command;

import dev.rondo.connection.kafka.KafkaConfigOption;
import dev.rondo.topology.config.TopologyConfig;
import java.util.Optional;
import java.util.Properties;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Options of a command from which it reads the settings of a topology. */
abstract class ReadSettings {
  private Optional<TopologyConfig> settings = Optional.empty();

  /** What a command has read; empty before. */
  static Optional<TopologyConfig> of(CommandLine command) {
    return command.getCommandSpec().mixins().values().stream()
        .map(CommandSpec::userObject)
        .filter(ReadSettings.class::isInstance)
        .map(ReadSettings.class::cast)
        .flatMap(options -> options.settings.stream())
        .findFirst();
  }

  TopologyConfig read(Properties properties, KafkaConfigOption kafkaConfig) {
    kafkaConfig.addTo(properties);
    TopologyConfig config = TopologyConfig.of(properties);
    settings = Optional.of(config);
    return config;
  }
}
