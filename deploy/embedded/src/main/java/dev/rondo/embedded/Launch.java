package dev.rondo.embedded;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Settings for starting a process.
 *
 * @param log file to which its output is appended
 * @param spawned receives the process as soon as it exists, before it answers
 * @param environment modifies the inherited environment
 */
public record Launch(
    Path log, Consumer<ProcessHandle> spawned, Consumer<Map<String, String>> environment) {
  /** Creates settings with the unchanged environment. */
  public Launch(Path log, Consumer<ProcessHandle> spawned) {
    this(log, spawned, inherited -> {});
  }

  /** Creates settings without a callback. */
  public static Launch to(Path log) {
    return new Launch(log, process -> {});
  }

  /** Returns the settings with another environment. */
  public Launch with(Consumer<Map<String, String>> other) {
    return new Launch(log, spawned, other);
  }
}
