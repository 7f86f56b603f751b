package dev.rondo.chaos.part;

import dev.rondo.embedded.FakeClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The wall clocks of the parts of {@code ./rondo up}. Each part looks for its clock in its own
 * folder, where it runs.
 *
 * @param dir data folder of {@code ./rondo up}
 */
public record Clocks(Path dir) {
  /** How far a wrong clock is off. */
  public static final Duration OFF = Duration.ofHours(1);

  private static final String FILE = "clock";

  /** Python's own sleep fails with libfaketime 0.9.10 where the monotonic clock stays right. */
  private static final String SLEEP =
      """
      import select
      import time

      time.sleep = lambda seconds: select.select([], [], [], seconds) and None
      """;

  private static final String COMMANDS = "commands-clock";

  /** Whether libfaketime is installed. */
  public static boolean areThere() throws IOException {
    return FakeClock.library().isPresent();
  }

  /** Environment for {@code ./rondo up}, which its parts inherit. */
  public Map<String, String> environment() throws IOException {
    return environment(Path.of(FILE));
  }

  /** Environment for commands that share a clock, and for the processes that they start. */
  public Map<String, String> environmentOfCommands() throws IOException {
    return environment(dir.resolve(COMMANDS).toAbsolutePath());
  }

  private Map<String, String> environment(Path file) throws IOException {
    Path python = Files.createDirectories(dir.resolve("python"));
    Files.writeString(python.resolve("sitecustomize.py"), SLEEP);
    Path library = FakeClock.library().orElseThrow();
    Map<String, String> environment = new HashMap<>(FakeClock.environment(library, file));
    environment.put("PYTHONPATH", python.toString());
    return environment;
  }

  /** Sets the clock of those commands so far ahead of the machine's, or behind it. */
  public void setOfCommands(Duration ahead) throws IOException {
    FakeClock.set(dir.resolve(COMMANDS), ahead);
  }

  /** Sets the clock of a part so far ahead of the machine's, or behind it. */
  public void set(Part part, Duration ahead) throws IOException {
    Path folder = dir.resolve(part.supervised());
    Path runsIn = part == Part.POSTGRES ? folder.resolve("data") : folder;
    FakeClock.set(runsIn.resolve(FILE), ahead);
  }
}
