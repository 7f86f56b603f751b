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
 * The wall clock of a child process, ahead of the machine's or behind it, by libfaketime. Its
 * monotonic clock stays that of the machine.
 */
public final class FakeClock {
  private static final String LIBRARY = "faketime/libfaketime.so.1";

  private final Path library;
  private final Path file;

  /**
   * A clock that is right until it is set.
   *
   * @param library of {@link #library()}
   * @param file to which the offset is written
   */
  public FakeClock(Path library, Path file) throws IOException {
    this.library = library;
    this.file = file;
    set(Duration.ZERO);
  }

  /** Where Debian has libfaketime; empty if it is not installed. */
  public static Optional<Path> library() throws IOException {
    try (Stream<Path> folders = Files.list(Path.of("/usr/lib"))) {
      return folders.map(folder -> folder.resolve(LIBRARY)).filter(Files::exists).findFirst();
    }
  }

  /** Environment of a process that has this clock. */
  public Map<String, String> environment() {
    return environment(library, file);
  }

  /**
   * Environment of a process whose clock a file sets; it is right while there is none.
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
        "FAKETIME_FORCE_MONOTONIC_FIX", // with it every timed wait of a JVM returns at once
        "0");
  }

  /**
   * Sets it so far ahead of the machine's clock, or behind it; a running process sees it within a
   * second.
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
