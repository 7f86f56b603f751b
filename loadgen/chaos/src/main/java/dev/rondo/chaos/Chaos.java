package dev.rondo.chaos;

import dev.rondo.connection.command.CommandLines;
import dev.rondo.embedded.OpenAtExit;
import dev.rondo.harness.CommandFailedException;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;

/** Runs {@link ChaosCommand} in this process. */
public final class Chaos {
  private Chaos() {}

  /** Runs the command after its name, and exits with its code. */
  public static void main(String[] arguments) {
    CommandLines.logBy(CommandLines.FAILURES);
    CommandLines.run(name -> commandLine(), arguments);
  }

  public static CommandLine commandLine() {
    return CommandLines.of(new ChaosCommand())
        .setExecutionExceptionHandler((failure, command, parsed) -> report(failure, command));
  }

  private static int report(Exception failure, CommandLine command) {
    if (!OpenAtExit.isExiting()) { // otherwise the failure is a result of the shutdown
      command.getErr().println(CommandLines.PREFIX + failure.getMessage());
    }
    return failure instanceof CommandFailedException failed && failed.exitCode() == ExitCode.USAGE
        ? ExitCode.USAGE // a forwarded option was wrong
        : ExitCode.SOFTWARE;
  }
}
