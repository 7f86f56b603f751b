package dev.rondo.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Where the files of a server are. Below the home of root, which the server's user may not enter,
 * the folder is a link to one in {@value #ELSEWHERE}.
 */
final class DataFolder {
  private static final String ELSEWHERE = "/var/lib/rondo";

  private DataFolder() {}

  /** The folder that holds the files; made elsewhere, with a link at {@code wanted}, if need be. */
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
      throw new UncheckedIOException("could not make PostgreSQL's data folder " + wanted, e);
    }
  }

  /** Deletes the files that are elsewhere; those at {@code wanted} itself stay. */
  static void deleteElsewhere(Path wanted) throws IOException {
    if (Files.isSymbolicLink(wanted)) {
      FileTree.delete(Files.readSymbolicLink(wanted));
    }
  }
}
