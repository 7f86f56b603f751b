package dev.rondo.local;

import dev.rondo.embedded.OpenAtExit;
import dev.rondo.embedded.StartFailedException;
import dev.rondo.local.settings.Failures;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Help;
import picocli.CommandLine.ParameterException;

/** The commands of {@code ./rondo} that are implemented in this module. */
@Command(
    name = "rondo",
    description = "Rondo on this machine.",
    subcommands = {
      UpCommand.class,
      DownCommand.class,
      StatusCommand.class,
      StopCommand.class,
      StartCommand.class,
      PostgresCommand.class,
      MigrateCommand.class
    })
public final class Rondo {
  static final int OK = 0;
  static final int FAILED = 1;
  static final int NOT_RUNNING = 3;

  /** Prefix of the error line. */
  static final String PREFIX = "rondo: ";

  private static final String LOG_SETTINGS = "log4j2.configurationFile";

  public static void main(String[] arguments) {
    if (System.getProperty(LOG_SETTINGS) == null) {
      System.setProperty(LOG_SETTINGS, "classpath:dev/rondo/local/log4j2.properties");
    }
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Rondo())
        .setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF))
        .setUsageHelpWidth(100)
        .setParameterExceptionHandler((wrong, arguments) -> misused(wrong))
        .setExecutionExceptionHandler((failure, command, parsed) -> report(failure));
  }

  private static int misused(ParameterException wrong) {
    String command = wrong.getCommandLine().getCommandSpec().qualifiedName();
    System.err.println(PREFIX + "%s; ./%s --help".formatted(wrong.getMessage(), command));
    return ExitCode.USAGE;
  }

  /** Prints one line; for a failed part, also the end of its log. */
  private static int report(Exception failure) {
    if (OpenAtExit.isExiting()) {
      return FAILED; // the failure is a result of the shutdown
    }
    System.err.println(PREFIX + Failures.line(failure));
    if (failure instanceof StartFailedException start) {
      start.tail().lines().forEach(line -> System.err.println("  | " + line));
    }
    return FAILED;
  }
}
