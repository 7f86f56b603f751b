package dev.rondo.embedded;

import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * How a process is started, whatever it runs.
 *
 * @param log file that its output is appended to
 * @param spawned told of the process as soon as it exists, long before it answers
 */
public record Launch(Path log, Consumer<ProcessHandle> spawned) {
  /** Nobody is told. */
  public static Launch to(Path log) {
    return new Launch(log, process -> {});
  }
}
