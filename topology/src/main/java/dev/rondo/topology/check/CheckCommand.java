package dev.rondo.topology.check;

import dev.rondo.topology.replay.ReplayException;
import dev.rondo.topology.settings.SettingException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.config.ConfigException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Help;
import picocli.CommandLine.ParameterException;

/** {@code ./rondo check}: looks, and changes nothing. */
@Command(
    name = "check",
    synopsisSubcommandLabel = "source",
    description = "What would become of what is there.",
    subcommands = SourceCommand.class)
public final class CheckCommand implements Runnable {
  private static final String PREFIX = "rondo: ";

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  /** Runs the command and exits with its code. */
  public static void main(String[] arguments) {
    if (System.getProperty("log4j2.configurationFile") == null) {
      System.setProperty(
          "log4j2.configurationFile", "classpath:dev/rondo/topology/replay/log4j2.properties");
    }
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new CheckCommand())
        .setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF))
        .setUsageHelpWidth(100)
        .setParameterExceptionHandler((wrong, arguments) -> misused(wrong.getMessage()))
        .setExecutionExceptionHandler((failure, command, parsed) -> report(failure));
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "there is nothing to check but: source");
  }

  private static int misused(String message) {
    System.err.println(PREFIX + message + "; ./rondo check --help");
    return ExitCode.USAGE;
  }

  private static int report(Exception failure) {
    if (failure instanceof SettingException
        || failure instanceof ConfigException
        || failure instanceof ReplayException) {
      return misused(failure.getMessage());
    }
    Throwable told =
        failure instanceof ExecutionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    System.err.println(PREFIX + told.getMessage());
    return ExitCode.SOFTWARE;
  }
}
