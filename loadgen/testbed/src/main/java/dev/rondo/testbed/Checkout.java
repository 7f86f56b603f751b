package dev.rondo.testbed;

import java.nio.file.Files;
import java.nio.file.Path;

/** The checkout whose tests run. */
final class Checkout {
  private Checkout() {}

  /** Its root: the folder with the Maven wrapper, at or above the working directory. */
  static Path root() {
    for (Path dir = Path.of("").toAbsolutePath(); dir != null; dir = dir.getParent()) {
      if (Files.exists(dir.resolve("mvnw"))) {
        return dir;
      }
    }
    throw new IllegalStateException(
        "no folder with mvnw at or above " + Path.of("").toAbsolutePath());
  }

  /** The current module, such as {@code topology/streams}. */
  static String module() {
    return root().relativize(Path.of("").toAbsolutePath()).toString();
  }
}
