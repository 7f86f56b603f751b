package dev.rondo.chaos;

import dev.rondo.embedded.OpenAtExit;
import dev.rondo.harness.CommandFailedException;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Help;
import picocli.CommandLine.ParameterException;

/** Runs {@link ChaosCommand} in this process. */
public final class Chaos {
  private static final String PREFIX = "rondo: ";
  private static final String LOG_SETTINGS = "log4j2.configurationFile";

  private Chaos() {}

  /** Ends the process with the command's exit code. */
  public static void main(String[] arguments) {
    if (System.getProperty(LOG_SETTINGS) == null) {
      System.setProperty(LOG_SETTINGS, "classpath:dev/rondo/chaos/log4j2.properties");
    }
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new ChaosCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF))
        .setUsageHelpWidth(100)
        .setParameterExceptionHandler((wrong, arguments) -> misused(wrong))
        .setExecutionExceptionHandler((failure, command, parsed) -> report(failure, command));
  }

  private static int misused(ParameterException wrong) {
    wrong.getCommandLine().getErr().println(PREFIX + wrong.getMessage() + "; ./rondo chaos --help");
    return ExitCode.USAGE;
  }

  private static int report(Exception failure, CommandLine command) {
    if (!OpenAtExit.isExiting()) { // otherwise the failure is a result of the shutdown
      command.getErr().println(PREFIX + failure.getMessage());
    }
    return failure instanceof CommandFailedException failed && failed.exitCode() == ExitCode.USAGE
        ? ExitCode.USAGE // a forwarded option was wrong
        : ExitCode.SOFTWARE;
  }
}
