package dev.rondo.topology;

import dev.rondo.topology.settings.SettingException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where a command finds the topology's settings. */
public final class SettingsFile {
  private SettingsFile() {}

  /**
   * The file.
   *
   * @param config the file itself; null = not given
   * @param dir data folder of {@code ./rondo up}; null = {@code .rondo} in the clone
   * @throws SettingException where there is none that can be read
   */
  public static Path find(Path config, Path dir) {
    if (config != null) {
      return readable(config, "--config");
    }
    String root = System.getProperty("rondo.root"); // the script ./rondo tells which clone it is of
    if (dir == null && root == null) {
      throw new SettingException("the topology's settings are missing (--config)");
    }
    Path home = dir == null ? Path.of(root, ".rondo") : dir;
    return readable(home.resolve("topology/topology.properties"), "--dir, --config");
  }

  private static Path readable(Path file, String options) {
    if (!Files.isReadable(file)) {
      throw new SettingException("there is no readable file %s (%s)".formatted(file, options));
    }
    return file;
  }
}
