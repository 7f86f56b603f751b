package dev.rondo.history.job;

import dev.rondo.tools.command.TopologySettings;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Option for the folder of the jobs. */
public final class JobsFolder {
  @Option(
      names = "--jobs",
      paramLabel = "DIR",
      description =
          "Folder of the jobs (default: replays in the data folder of ./rondo up, otherwise "
              + "rondo-replays in the current folder).")
  private Path dir;

  /** The folder. */
  public Path path(TopologySettings settings) {
    return dir != null
        ? dir
        : settings.home().map(home -> home.resolve("replays")).orElse(Path.of("rondo-replays"));
  }
}
