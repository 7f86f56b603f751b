package dev.rondo.local;

import dev.rondo.connection.command.CommandLines;
import dev.rondo.embedded.OpenAtExit;
import dev.rondo.embedded.StartFailedException;
import dev.rondo.local.settings.Failures;
import picocli.CommandLine;

/** The commands of {@code ./rondo} that are implemented in this module. */
public final class Main {
  static final int OK = 0;
  static final int FAILED = 1;
  static final int NOT_RUNNING = 3;

  private Main() {}

  /** Runs the command named by the first argument, and exits with its code. */
  public static void main(String[] arguments) {
    CommandLines.logBy("classpath:dev/rondo/local/log4j2.properties");
    CommandLines.run(Main::commandLine, arguments);
  }

  /** Returns the command with this name, ready to be executed; null if there is none. */
  public static CommandLine commandLine(String name) {
    Object command =
        switch (name) {
          case "up" -> new UpCommand();
          case "down" -> new DownCommand();
          case "status" -> new StatusCommand();
          case "stop" -> new StopCommand();
          case "start" -> new StartCommand();
          case "postgres" -> new PostgresCommand();
          case "migrate" -> new MigrateCommand();
          default -> null;
        };
    return command == null
        ? null
        : CommandLines.of(command)
            .setExecutionExceptionHandler((failure, line, parsed) -> report(failure));
  }

  /** Prints one line; for a failed part, also the end of its log. */
  private static int report(Exception failure) {
    if (OpenAtExit.isExiting()) {
      return FAILED; // the failure is a result of the shutdown
    }
    System.err.println(CommandLines.PREFIX + Failures.line(failure));
    if (failure instanceof StartFailedException start) {
      start.tail().lines().forEach(line -> System.err.println("  | " + line));
    }
    return FAILED;
  }
}
