package dev.rondo.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Data folder of a server. Under root's home, which the server's user may not enter, it is a link
 * to a folder in {@value #ELSEWHERE}.
 */
final class DataFolder {
  private static final String ELSEWHERE = "/var/lib/rondo";

  private DataFolder() {}

  /**
   * Returns the actual folder; creates it elsewhere, with a link at {@code wanted}, if necessary.
   */
  static Path of(Path wanted, RunAs runAs) {
    try {
      if (Files.isSymbolicLink(wanted)) {
        return Files.readSymbolicLink(wanted);
      }
      Files.createDirectories(wanted.getParent());
      if (runAs.mayReach(wanted)) {
        return wanted;
      }
      Path elsewhere = Path.of(ELSEWHERE, "postgres-" + UUID.randomUUID());
      Files.createDirectories(elsewhere.getParent());
      return Files.readSymbolicLink(Files.createSymbolicLink(wanted, elsewhere));
    } catch (IOException e) {
      throw new UncheckedIOException("could not create PostgreSQL's data folder " + wanted, e);
    }
  }

  /** Deletes files that are elsewhere; keeps those at {@code wanted} itself. */
  static void deleteElsewhere(Path wanted) throws IOException {
    if (Files.isSymbolicLink(wanted)) {
      FileTree.delete(Files.readSymbolicLink(wanted));
    }
  }
}
