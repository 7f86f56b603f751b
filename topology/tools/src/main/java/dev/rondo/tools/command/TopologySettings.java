package dev.rondo.tools.command;

import dev.rondo.topology.config.TopologyConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Options that select the topology: one of the two; without either, the default of the first. */
public final class TopologySettings {
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

  /** Reads the settings of the topology. */
  public TopologyConfig read() throws IOException {
    return TopologyConfig.read(file());
  }

  /** Data folder of {@code ./rondo up}; null = not given. */
  public Path dir() {
    return dir;
  }

  private Path file() {
    return find(config, dir);
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
