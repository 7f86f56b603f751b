package dev.rondo.chaos.part;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The data of a PostgreSQL that is stopped.
 *
 * @param folder of the server; its data and their backup lie there
 */
public record Database(Path folder) {
  private Path data() {
    return folder.resolve("data");
  }

  private Path backup() {
    return folder.resolve("backup");
  }

  /** Copies the data, in place of an earlier copy. */
  public void backUp() throws IOException, InterruptedException {
    copy(data(), backup());
  }

  /** Puts the copy in place of the data. */
  public void restore() throws IOException, InterruptedException {
    if (!Files.exists(backup())) {
      throw new IllegalStateException("there is no backup in " + backup());
    }
    copy(backup(), data());
  }

  /** With owners and links, which belong to what the server looks at. */
  private static void copy(Path from, Path to) throws IOException, InterruptedException {
    run("rm", "-rf", to.toString());
    run("cp", "-a", from.toString(), to.toString());
  }

  private static void run(String... command) throws IOException, InterruptedException {
    int code = new ProcessBuilder(command).inheritIO().start().waitFor();
    if (code != 0) {
      throw new IllegalStateException(
          "%s ended with exit code %d".formatted(String.join(" ", command), code));
    }
  }
}
