package dev.rondo.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The wall clock of a child process, set ahead of the machine's or behind it by libfaketime. The
 * monotonic clock remains the machine's.
 */
public final class FakeClock {
  private static final String LIBRARY = "faketime/libfaketime.so.1";

  private final Path library;
  private final Path file;

  /**
   * Creates a clock that is correct until it is set.
   *
   * @param library of {@link #library()}
   * @param file for the offset
   */
  public FakeClock(Path library, Path file) throws IOException {
    this.library = library;
    this.file = file;
    set(Duration.ZERO);
  }

  /** Returns the path of libfaketime on Debian; empty if it is not installed. */
  public static Optional<Path> library() throws IOException {
    try (Stream<Path> folders = Files.list(Path.of("/usr/lib"))) {
      return folders.map(folder -> folder.resolve(LIBRARY)).filter(Files::exists).findFirst();
    }
  }

  /** Returns the environment of a process with this clock. */
  public Map<String, String> environment() {
    return environment(library, file);
  }

  /**
   * Returns the environment of a process whose clock a file sets; without the file it is correct.
   *
   * @param file absolute, or in the working directory of each process
   */
  public static Map<String, String> environment(Path library, Path file) {
    return Map.of(
        "LD_PRELOAD",
        library.toString(),
        "FAKETIME_TIMESTAMP_FILE",
        file.toString(),
        "FAKETIME_CACHE_DURATION",
        "1",
        "FAKETIME_DONT_FAKE_MONOTONIC",
        "1",
        "FAKETIME_FORCE_MONOTONIC_FIX", // otherwise every timed wait of a JVM returns at once
        "0");
  }

  /**
   * Sets the clock ahead of the machine's, or behind if negative; effective in running processes
   * within a second.
   */
  public void set(Duration ahead) throws IOException {
    set(file, ahead);
  }

  /** Sets the clock of all processes that read this file. */
  public static void set(Path file, Duration ahead) throws IOException {
    Path written = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(written, "%+d".formatted(ahead.toSeconds()));
    Files.move(written, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }
}
