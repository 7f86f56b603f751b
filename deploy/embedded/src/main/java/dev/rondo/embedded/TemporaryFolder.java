package dev.rondo.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A temporary folder, deleted with its content on close, or when this JVM exits, after resources
 * opened later are closed.
 */
public record TemporaryFolder(Path path) implements AutoCloseable {
  /**
   * Creates a folder in the system's temporary folder.
   *
   * @param prefix of its name
   */
  public static TemporaryFolder create(String prefix) throws IOException {
    var folder = new TemporaryFolder(Files.createTempDirectory(prefix));
    OpenAtExit.add(folder);
    return folder;
  }

  /** Idempotent. */
  @Override
  public void close() throws IOException {
    OpenAtExit.remove(this);
    FileTree.delete(path);
  }
}
