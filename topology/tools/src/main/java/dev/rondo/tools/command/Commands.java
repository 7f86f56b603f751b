package dev.rondo.tools.command;

import dev.rondo.connection.command.CommandLines;
import dev.rondo.connection.settings.LogFormat;
import dev.rondo.topology.access.MissingRights;
import dev.rondo.topology.access.Part;
import dev.rondo.topology.settings.SettingException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.config.ConfigException;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParseResult;

/**
 * Makes the commands ready to be executed. A failure prints one line on standard error that begins
 * with {@code rondo: }; the exit code is 1 on failure, 2 on wrong usage or a wrong setting.
 */
public final class Commands {
  private Commands() {}

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
    CommandLines.logAsPart();
  }

  /** The command, ready to be executed. */
  public static CommandLine commandLine(Object command) {
    return CommandLines.of(command).setExecutionExceptionHandler(Commands::report);
  }

  /** Whether the output is a terminal; the script ./rondo sets the property. */
  public static boolean isOnTerminal() {
    return Boolean.getBoolean("rondo.tty");
  }

  private static int report(Exception failure, CommandLine command, ParseResult parsed) {
    if (failure instanceof CommandException e && e.isMisuse()) {
      return CommandLines.misused(command, e.getMessage());
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
    command
        .getErr()
        .println(CommandLines.PREFIX + (refusal.isEmpty() ? cause.getMessage() : refusal));
    return isSetting ? ExitCode.USAGE : ExitCode.SOFTWARE;
  }
}
