package dev.rondo.chaos.part;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A folder of links to an installation of Rondo, from which {@code ./rondo up} runs. Relinking one
 * part switches it to another installation at its next start. The script is a copy, because it
 * resolves links to find its folder.
 */
public record LinkedInstallation(Path root) {
  private static final String SCRIPT = "rondo";

  /** The folder that each part runs from. */
  private static final Map<String, String> FOLDERS =
      Map.of("topology", "topology", "connect", "connectors", "api", "query-api");

  /** Links everything in an installation. */
  public static LinkedInstallation of(Path installation, Path folder) throws IOException {
    Files.createDirectories(folder);
    try (Stream<Path> entries = Files.list(installation)) {
      for (Path entry : (Iterable<Path>) entries::iterator) {
        Path name = entry.getFileName();
        if (name.toString().equals(SCRIPT)) {
          Files.copy(entry, folder.resolve(name), StandardCopyOption.COPY_ATTRIBUTES);
        } else if (!name.toString().startsWith(".")) {
          Files.createSymbolicLink(folder.resolve(name), entry);
        }
      }
    }
    return new LinkedInstallation(folder);
  }

  /** Switches a part, which must be stopped, to another installation. */
  void link(String part, Path installation) throws IOException {
    String folder = FOLDERS.get(part);
    Path link = root.resolve(folder);
    Files.delete(link);
    Files.createSymbolicLink(link, installation.resolve(folder));
  }

  /** Replaces the links to all parts by empty folders. */
  void empty() throws IOException {
    for (String folder : FOLDERS.values()) {
      Files.delete(root.resolve(folder));
      Files.createDirectory(root.resolve(folder));
    }
  }
}
