package dev.rondo.embedded;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Runs short commands of the operating system. */
public final class Commands {
  private static final long GRACE_SECONDS = 10;

  private Commands() {}

  /** Whether {@code name} is a program on the PATH. */
  public static boolean exists(String name) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.of(path.split(Pattern.quote(File.pathSeparator)))
        .map(folder -> Path.of(folder, name))
        .anyMatch(Files::isExecutable);
  }

  /**
   * Returns {@code command} in a separate session if {@code setsid} exists: it keeps its pid, and
   * signals of the terminal do not reach it.
   */
  public static List<String> inOwnSession(List<String> command) {
    if (!exists("setsid")) {
      return command;
    }
    return Stream.concat(Stream.of("setsid"), command.stream()).toList();
  }

  /**
   * Runs the command and returns its output, stripped. Ends the command if this JVM ends.
   *
   * @throws IllegalStateException with the output if the exit code is not 0
   */
  public static String run(List<String> command) {
    return run(command, "");
  }

  /** Runs the command with an input, for text that must not be visible in arguments. */
  static String run(List<String> command, String input) {
    try {
      var process = new ProcessBuilder(command).redirectErrorStream(true).start();
      AutoCloseable end = () -> end(process);
      OpenAtExit.add(end);
      try {
        try (var in = process.getOutputStream()) {
          in.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        if (code != 0) {
          throw new IllegalStateException(
              "%s ended with exit code %d: %s".formatted(command, code, output.strip()));
        }
        return output.strip();
      } finally {
        OpenAtExit.remove(end);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("could not run " + command.get(0), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while running " + command.get(0), e);
    }
  }

  private static void end(Process process) throws InterruptedException {
    process.toHandle().destroy(); // its output is being read
    if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
      process.toHandle().destroyForcibly();
    }
  }
}
