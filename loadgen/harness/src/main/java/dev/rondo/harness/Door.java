package dev.rondo.harness;

import dev.rondo.embedded.ChildProcess;
import dev.rondo.embedded.Commands;
import dev.rondo.embedded.OpenAtExit;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs {@code ./rondo} as a user does, on one data folder. What a command prints goes to {@code
 * logs/rondo-COMMAND.out}, what it complains of to {@code .err}.
 */
public record Door(Path root, Path dir) {
  /** A command under way. */
  public record Running(String command, Process process, Path out, Path err) {
    /** Its exit code. */
    public int await() throws InterruptedException {
      return process.waitFor();
    }

    public String output() throws IOException {
      return Files.readString(out);
    }

    /** As an exception, with the last lines of its complaints. */
    public CommandFailedException failed() {
      return new CommandFailedException(
          command, process.exitValue(), ChildProcess.tail(err).strip());
    }
  }

  /** Of the clone that this process is of, which the script {@code ./rondo} has told. */
  public static Door to(Path dir) {
    return new Door(Path.of(System.getProperty("rondo.root")), dir);
  }

  /** Starts a command; it is ended with this process. */
  public Running start(String command, List<String> options) throws IOException {
    return start(command, command, options);
  }

  /**
   * The same, of which several may run at a time.
   *
   * @param log name of its logs
   */
  Running start(String command, String log, List<String> options) throws IOException {
    Running running = run(command, log, options);
    OpenAtExit.add(running.process()::destroy);
    return running;
  }

  /** Starts a command that may outlive this process, as the last one must. */
  Running startForGood(String command, List<String> options) throws IOException {
    return run(command, command, options);
  }

  private Running run(String command, String log, List<String> options) throws IOException {
    var whole = new ArrayList<>(List.of(root.resolve("rondo").toString(), command));
    whole.addAll(List.of("--dir", dir.toString()));
    whole.addAll(options);
    Path logs = Files.createDirectories(dir.resolve("logs"));
    Path out = logs.resolve("rondo-" + log + ".out");
    Path err = logs.resolve("rondo-" + log + ".err");
    var builder = new ProcessBuilder(Commands.inOwnSession(whole));
    builder.environment().put("RONDO_NO_BUILD", "1"); // it is built: this runs
    builder.redirectInput(new File("/dev/null"));
    builder.redirectOutput(out.toFile());
    builder.redirectError(err.toFile());
    return new Running(command, builder.start(), out, err);
  }
}
