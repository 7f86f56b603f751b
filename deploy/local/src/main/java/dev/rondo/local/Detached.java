package dev.rondo.local;

import dev.rondo.connection.command.CommandLines;
import dev.rondo.embedded.Commands;
import dev.rondo.embedded.JavaCommand;
import dev.rondo.local.settings.Home;
import dev.rondo.local.settings.UserError;
import dev.rondo.local.state.State;
import dev.rondo.local.state.StateFile;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Starts the supervisor as a background process that outlives this one and its terminal. */
final class Detached {
  private static final Duration POLL = Duration.ofMillis(200);

  private final Home home;
  private final List<String> arguments;
  private final Path log;

  /**
   * @param arguments of this {@code rondo up}
   */
  Detached(Home home, List<String> arguments) {
    this.home = home;
    this.arguments = arguments;
    this.log = home.log("rondo");
  }

  /**
   * Starts the supervisor and waits until all parts run.
   *
   * @param display receives the supervisor's state periodically
   * @throws UserError with the supervisor's error message if the start fails
   */
  State start(Consumer<State> display) throws IOException, InterruptedException {
    long before = logSize();
    Process process = spawn();
    while (process.isAlive()) {
      var state = StateFile.read(home).filter(s -> isOf(s, process)).orElse(null);
      if (state != null) {
        display.accept(state);
        if (state.phase.equals(State.READY)) {
          return state;
        }
      }
      Thread.sleep(POLL.toMillis());
    }
    throw new UserError(errorIn(logAfter(before)));
  }

  private static boolean isOf(State state, Process process) {
    return state.supervisor != null && state.supervisor.pid() == process.pid();
  }

  private Process spawn() throws IOException {
    var options = new ArrayList<>(JavaCommand.SMALL);
    options.add("-Xmx128m");
    options.add("-Drondo.root=" + System.getProperty("rondo.root"));
    var command =
        new ArrayList<String>(
            Commands.inOwnSession(
                JavaCommand.of(
                    System.getProperty("java.class.path"), options, Main.class.getName(), "up")));
    command.addAll(arguments);
    command.add("--supervised");
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectInput(new File("/dev/null"))
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
  }

  /** Returns the error line of a failed supervisor, and the output after it. */
  private static String errorIn(String output) {
    int line = output.lastIndexOf(CommandLines.PREFIX);
    return line < 0
        ? "the supervisor ended without an error message; its output: " + output.strip()
        : output.substring(line + CommandLines.PREFIX.length()).stripTrailing();
  }

  private long logSize() throws IOException {
    return Files.exists(log) ? Files.size(log) : 0;
  }

  private String logAfter(long offset) throws IOException {
    byte[] all = Files.readAllBytes(log);
    int from = offset <= all.length ? (int) offset : 0; // the log was rotated
    return new String(all, from, all.length - from, StandardCharsets.UTF_8);
  }
}
