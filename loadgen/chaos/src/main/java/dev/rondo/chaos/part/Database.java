package dev.rondo.chaos.part;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Backup and restore of the data of a stopped PostgreSQL.
 *
 * @param folder of the server, with its data and their backup
 */
public record Database(Path folder) {
  private Path data() {
    return folder.resolve("data");
  }

  private Path backup() {
    return folder.resolve("backup");
  }

  /** Copies the data and replaces an earlier backup. */
  public void backUp() throws IOException, InterruptedException {
    copy(data(), backup());
  }

  /** Replaces the data by the backup. */
  public void restore() throws IOException, InterruptedException {
    if (!Files.exists(backup())) {
      throw new IllegalStateException("there is no backup in " + backup());
    }
    copy(backup(), data());
  }

  /** Keeps owners and links, which the server checks. */
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
