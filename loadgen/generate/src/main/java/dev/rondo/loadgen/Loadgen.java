package dev.rondo.loadgen;

import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Help;
import picocli.CommandLine.ParseResult;

/** Runs {@link LoadgenCommand} in this process. */
public final class Loadgen {
  private static final String PREFIX = "rondo: ";
  private static final String LOG_SETTINGS = "log4j2.configurationFile";

  private Loadgen() {}

  /** Ends the process with the command's exit code. */
  public static void main(String[] arguments) {
    if (System.getProperty(LOG_SETTINGS) == null) {
      System.setProperty(LOG_SETTINGS, "classpath:dev/rondo/loadgen/log4j2.properties");
    }
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new LoadgenCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF))
        .setUsageHelpWidth(100)
        .setParameterExceptionHandler(
            (wrong, arguments) -> misused(wrong.getCommandLine(), wrong.getMessage()))
        .setExecutionExceptionHandler(Loadgen::report);
  }

  private static int misused(CommandLine command, String message) {
    command.getErr().println(PREFIX + message + "; ./rondo loadgen --help");
    return ExitCode.USAGE;
  }

  private static int report(Exception failure, CommandLine command, ParseResult parsed) {
    if (failure instanceof BadInputException) {
      return misused(command, failure.getMessage());
    }
    boolean isWrapped =
        (failure instanceof ExecutionException || failure instanceof KafkaException)
            && failure.getCause() != null;
    Throwable cause = isWrapped ? failure.getCause() : failure;
    command.getErr().println(PREFIX + (cause.getMessage() == null ? cause : cause.getMessage()));
    return ExitCode.SOFTWARE;
  }
}
