package dev.rondo.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An empty folder that is deleted with all that has come into it: when it is closed, and at the
 * latest with this JVM, after what was started later has been ended.
 */
public record TemporaryFolder(Path path) implements AutoCloseable {
  /**
   * Makes one among the system's temporary files.
   *
   * @param prefix of its name
   */
  public static TemporaryFolder create(String prefix) throws IOException {
    var folder = new TemporaryFolder(Files.createTempDirectory(prefix));
    OpenAtExit.add(folder);
    return folder;
  }

  /** Again: does nothing. */
  @Override
  public void close() throws IOException {
    OpenAtExit.remove(this);
    FileTree.delete(path);
  }
}
