package dev.rondo.tools.command;

import dev.rondo.connection.settings.LogFormat;
import dev.rondo.topology.access.MissingRights;
import dev.rondo.topology.access.Part;
import dev.rondo.topology.settings.SettingException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.config.ConfigException;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Help;
import picocli.CommandLine.ParseResult;

/**
 * Runs the commands. A failure prints one line on standard error that begins with {@code rondo: };
 * the exit code is 1 on failure, 2 on wrong usage or a wrong setting.
 */
public final class Commands {
  private static final String PREFIX = "rondo: ";
  private static final String LOG_SETTINGS = "log4j2.configurationFile";
  private static final String FAILURES = "classpath:dev/rondo/tools/command/log4j2.properties";

  private Commands() {}

  /** Runs the command in this process and ends it with its exit code. */
  public static void run(Object command, String... arguments) {
    if (System.getProperty(LOG_SETTINGS) == null) {
      System.setProperty(LOG_SETTINGS, FAILURES);
    }
    System.exit(commandLine(command).execute(arguments));
  }

  /**
   * Lets a command that runs until it is stopped log as the topology does. To be called before
   * anything asks for a logger.
   */
  public static void logAsPart() {
    LogFormat.fault(System.getenv())
        .ifPresent(
            fault -> {
              throw CommandException.misuse(fault);
            });
    if (FAILURES.equals(System.getProperty(LOG_SETTINGS))) {
      System.setProperty(LOG_SETTINGS, "classpath:log4j2.properties");
    }
  }

  /** The command, ready to be executed. */
  public static CommandLine commandLine(Object command) {
    return new CommandLine(command)
        .setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF))
        .setUsageHelpWidth(100)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(
            (wrong, arguments) -> reportMisuse(wrong.getCommandLine(), wrong.getMessage()))
        .setExecutionExceptionHandler(Commands::report);
  }

  /** Whether the output is a terminal; the script ./rondo sets the property. */
  public static boolean isOnTerminal() {
    return Boolean.getBoolean("rondo.tty");
  }

  private static int reportMisuse(CommandLine command, String message) {
    System.err.println(
        PREFIX
            + "%s; ./rondo %s --help".formatted(message, command.getCommandSpec().qualifiedName()));
    return ExitCode.USAGE;
  }

  private static int report(Exception failure, CommandLine command, ParseResult parsed) {
    if (failure instanceof CommandException e && e.isMisuse()) {
      return reportMisuse(command, e.getMessage());
    }
    boolean isSetting = failure instanceof ConfigException || failure instanceof SettingException;
    Throwable cause =
        failure instanceof ExecutionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    String refusal =
        ReadSettings.of(command)
            .flatMap(settings -> MissingRights.explain(settings, Part.TOOLS, failure))
            .orElse("");
    System.err.println(PREFIX + (refusal.isEmpty() ? cause.getMessage() : refusal));
    return isSetting ? ExitCode.USAGE : ExitCode.SOFTWARE;
  }
}
