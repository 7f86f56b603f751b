package dev.rondo.tools.command;

import dev.rondo.topology.config.TopologyConfig;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Options of a command from which it reads the settings of a topology. */
public interface ReadSettings {
  /** What the command has read; empty before. */
  Optional<TopologyConfig> settings();

  /** What a command has read. */
  static Optional<TopologyConfig> of(CommandLine command) {
    return command.getCommandSpec().mixins().values().stream()
        .map(CommandSpec::userObject)
        .filter(ReadSettings.class::isInstance)
        .map(ReadSettings.class::cast)
        .flatMap(options -> options.settings().stream())
        .findFirst();
  }
}
