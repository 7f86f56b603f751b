package dev.rondo.tools.command;

import dev.rondo.topology.config.EnvironmentSettings;
import dev.rondo.topology.config.TopologyConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import picocli.CommandLine.Option;

/**
 * Options that say where the settings of a topology are: in a file, or in the data folder of {@code
 * ./rondo up}. Without either: in the environment if it has any, otherwise in {@code .rondo} of the
 * clone.
 */
class SettingsPlace {
  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Data folder of ./rondo up (default: .rondo in the clone).")
  Path dir;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Settings file of a topology that ./rondo up did not start.")
  Path config;

  /** Whether an option or the environment names a topology. */
  boolean isGiven() {
    return dir != null || config != null || TopologySettings.isGivenByEnvironment();
  }

  /** Data folder of the Rondo that {@code ./rondo up} started; empty = another one is meant. */
  Optional<Path> home() {
    return dir == null && isGiven() ? Optional.empty() : UpFolder.path(dir);
  }

  /** The settings. {@code ./rondo up} writes all of them into its file. */
  Properties properties() throws IOException {
    Map<String, String> environment = System.getenv();
    if (config != null) {
      return TopologyConfig.properties(Optional.of(existing(config, "--config")), environment);
    }
    if (dir == null && isGiven()) {
      Optional<Path> file = EnvironmentSettings.file(environment);
      file.ifPresent(each -> existing(each, EnvironmentSettings.FILE_VARIABLE));
      return TopologyConfig.properties(file, environment);
    }
    Path home =
        home()
            .orElseThrow(
                () ->
                    CommandException.misuse(
                        "the topology's settings are missing (--config, %s)"
                            .formatted(EnvironmentSettings.FILE_VARIABLE)));
    Path file = existing(home.resolve("topology/topology.properties"), "--dir, --config");
    return TopologyConfig.properties(Optional.of(file), Map.of());
  }

  private static Path existing(Path file, String options) {
    if (!Files.isReadable(file)) {
      throw CommandException.misuse("there is no readable file %s (%s)".formatted(file, options));
    }
    return file;
  }
}
