package dev.rondo.embedded;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Settings for starting any process.
 *
 * @param log file to which its output is appended
 * @param spawned receives the process as soon as it exists, before it answers
 * @param environment changes the environment that the process inherits
 */
public record Launch(
    Path log, Consumer<ProcessHandle> spawned, Consumer<Map<String, String>> environment) {
  /** With the environment of this process. */
  public Launch(Path log, Consumer<ProcessHandle> spawned) {
    this(log, spawned, inherited -> {});
  }

  /** Without a callback. */
  public static Launch to(Path log) {
    return new Launch(log, process -> {});
  }

  /** The same with another environment. */
  public Launch with(Consumer<Map<String, String>> other) {
    return new Launch(log, spawned, other);
  }
}
