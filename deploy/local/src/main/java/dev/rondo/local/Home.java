package dev.rondo.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The data folder of one Rondo ({@code --dir}) and where everything lies in it. */
record Home(Path dir) {
  Home {
    dir = dir.toAbsolutePath().normalize();
  }

  /** Makes the folder where it is missing. */
  void create() {
    try {
      Files.createDirectories(dir.resolve("logs"));
    } catch (IOException e) {
      throw new UserError("cannot write to %s (--dir): %s".formatted(dir, e.getMessage()));
    }
  }

  Path stateFile() {
    return dir.resolve("rondo.json");
  }

  Path lockFile() {
    return dir.resolve("rondo.lock");
  }

  StopMarks stopMarks() {
    return new StopMarks(dir.resolve("stopped"));
  }

  /** The folder of one part's own data. */
  Path of(String part) {
    return dir.resolve(part);
  }

  Path log(String part) {
    return dir.resolve("logs").resolve(part + ".log");
  }

  /** Sources that are used when none are named. */
  Path sources() {
    return dir.resolve("sources.yaml");
  }

  /** Policies that are used when none are named. */
  Path policies() {
    return dir.resolve("policies.yaml");
  }
}
