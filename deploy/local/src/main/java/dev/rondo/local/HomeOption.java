package dev.rondo.local;

import dev.rondo.local.settings.Home;
import dev.rondo.local.settings.Installation;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Option that selects a Rondo. */
class HomeOption {
  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Data folder (default: .rondo in the clone).")
  private Path dir;

  Home home() {
    return new Home(dir == null ? Installation.current().defaultDir() : dir);
  }
}
