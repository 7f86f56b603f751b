package dev.rondo.harness;

import dev.rondo.embedded.ChildProcess;
import dev.rondo.embedded.Commands;
import dev.rondo.embedded.OpenAtExit;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs commands of {@code ./rondo} as a user does, on one data folder. Standard output goes to
 * {@code logs/rondo-COMMAND.out}, standard error to {@code .err}.
 *
 * @param environment added to that of this process
 */
public record RondoCli(Path root, Path dir, Map<String, String> environment) {
  /** With the environment of this process. */
  public RondoCli(Path root, Path dir) {
    this(root, dir, Map.of());
  }

  /** A running command. */
  public record Running(String command, Process process, Path out, Path err) {
    /** Waits for the end; returns the exit code. */
    public int await() throws InterruptedException {
      return process.waitFor();
    }

    /** Waits for the end; returns false if the command still runs after {@code bound}. */
    public boolean endsWithin(Duration bound) throws InterruptedException {
      return process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * SIGKILL.
     *
     * @param withChildren also to the processes that it has started
     */
    public void kill(boolean withChildren) throws InterruptedException {
      List<ProcessHandle> children = process.descendants().toList();
      process.destroyForcibly().waitFor();
      if (withChildren) {
        children.forEach(ProcessHandle::destroyForcibly);
      }
    }

    public String output() throws IOException {
      return Files.readString(out);
    }

    /** An exception with the last lines of standard error. */
    public CommandFailedException failed() {
      return new CommandFailedException(
          command, process.exitValue(), ChildProcess.tail(err).strip());
    }
  }

  /** Runs the script of this clone: {@code -Drondo.root}, set by {@code ./rondo}. */
  public static RondoCli forDir(Path dir) {
    return new RondoCli(Path.of(System.getProperty("rondo.root")), dir);
  }

  /**
   * Starts a command, which ends with this process.
   *
   * @param command with its subcommand, if it has one: {@code policies apply}
   */
  public Running start(String command, List<String> options) throws IOException {
    return start(command, command.replace(' ', '-'), options);
  }

  /**
   * The same with separate logs, for commands that run at the same time.
   *
   * @param log name of the logs
   */
  Running start(String command, String log, List<String> options) throws IOException {
    Running running = run(command, log, options);
    OpenAtExit.add(running.process()::destroy);
    return running;
  }

  /** Starts a command that may outlive this process, such as {@code down}. */
  Running startDetached(String command, List<String> options) throws IOException {
    return run(command, command, options);
  }

  private Running run(String command, String log, List<String> options) throws IOException {
    var whole = new ArrayList<>(List.of(root.resolve("rondo").toString()));
    whole.addAll(List.of(command.split(" ")));
    whole.addAll(List.of("--dir", dir.toString()));
    whole.addAll(options);
    Path logs = Files.createDirectories(dir.resolve("logs"));
    Path out = logs.resolve("rondo-" + log + ".out");
    Path err = logs.resolve("rondo-" + log + ".err");
    var builder = new ProcessBuilder(Commands.inOwnSession(whole));
    builder.environment().putAll(environment);
    builder.environment().put("RONDO_NO_BUILD", "1"); // already built: this process runs from it
    builder.redirectInput(new File("/dev/null"));
    builder.redirectOutput(out.toFile());
    builder.redirectError(err.toFile());
    return new Running(command, builder.start(), out, err);
  }
}
