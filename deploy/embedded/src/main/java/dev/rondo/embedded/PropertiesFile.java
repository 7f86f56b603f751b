package dev.rondo.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

/** The settings of a process, as a file. */
public final class PropertiesFile {
  private PropertiesFile() {}

  /** Replaces the file, and returns it. */
  public static Path write(Path file, Map<?, ?> settings) {
    var properties = new Properties();
    properties.putAll(settings);
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      try (var out = Files.newBufferedWriter(file)) {
        properties.store(out, "Written at every start");
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException("could not write the settings " + file, e);
    }
  }
}
