package dev.rondo.embedded;

import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Settings for starting any process.
 *
 * @param log file to which its output is appended
 * @param spawned receives the process as soon as it exists, before it answers
 */
public record Launch(Path log, Consumer<ProcessHandle> spawned) {
  /** Without a callback. */
  public static Launch to(Path log) {
    return new Launch(log, process -> {});
  }
}
