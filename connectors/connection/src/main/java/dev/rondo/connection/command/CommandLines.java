package dev.rondo.connection.command;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;

/**
 * Gives the commands of {@code ./rondo} the same behaviour. Wrong usage prints one line to standard
 * error, which begins with {@code rondo: } and refers to the help, and exits with code 2.
 */
public final class CommandLines {
  /** Program name in help and errors; the launcher of a release sets the property. */
  public static final String PROGRAM = System.getProperty("rondo.program", "./rondo");

  public static final String PREFIX = "rondo: ";

  /** Log settings: failures only, to standard error. */
  public static final String FAILURES = "classpath:dev/rondo/connection/command/log4j2.properties";

  private static final String LOG_SETTINGS = "log4j2.configurationFile";

  private CommandLines() {}

  /** Returns the program itself, for a description of all commands. */
  public static CommandLine program(Iterable<CommandLine> commands) {
    CommandLine program = configured(CommandSpec.create().name(PROGRAM));
    addAll(program, commands);
    return program;
  }

  /** Adds commands of {@link #of} as subcommands, for a description. */
  public static void addAll(CommandLine parent, Iterable<CommandLine> commands) {
    for (CommandLine command : commands) {
      CommandSpec spec = command.getCommandSpec();
      spec.name(spec.name().replace(PROGRAM + " ", ""));
      parent.addSubcommand(command);
    }
  }

  /** Returns a command of the program, ready to be executed. */
  public static CommandLine of(Object command) {
    CommandLine line = configured(command);
    CommandSpec spec = line.getCommandSpec();
    spec.name(PROGRAM + " " + spec.name()); // picocli executes no command that has a parent
    return line;
  }

  /**
   * Runs the command named by the first argument, and exits with its code.
   *
   * @param commands returns a command by its name; null if there is none
   */
  public static void run(Function<String, CommandLine> commands, String[] arguments) {
    String name = arguments.length == 0 ? "" : arguments[0];
    CommandLine command = commands.apply(name);
    if (command == null) {
      System.err.printf(
          "%sunknown command '%s'; %s --help lists the commands%n", PREFIX, name, PROGRAM);
      System.exit(ExitCode.USAGE);
      return;
    }
    System.exit(command.execute(Arrays.copyOfRange(arguments, 1, arguments.length)));
  }

  /** Reports wrong usage; returns the exit code. */
  public static int misused(CommandLine command, String message) {
    command
        .getErr()
        .println(PREFIX + message + "; " + command.getCommandSpec().qualifiedName() + " --help");
    return ExitCode.USAGE;
  }

  /**
   * Returns the error for a group of commands without a command.
   *
   * @param verb action of the commands, in the text
   */
  public static ParameterException unnamed(CommandSpec group, String verb) {
    List<String> names = List.copyOf(group.subcommands().keySet());
    int last = names.size() - 1;
    return new ParameterException(
        group.commandLine(),
        "nothing to %s given, expected: %s or %s"
            .formatted(verb, String.join(", ", names.subList(0, last)), names.get(last)));
  }

  /** Selects the log settings, unless the user did. Must be called before the first logger. */
  public static void logBy(String settings) {
    if (System.getProperty(LOG_SETTINGS) == null) {
      System.setProperty(LOG_SETTINGS, settings);
    }
  }

  /** Logs like a part of Rondo instead of failures only. */
  public static void logAsPart() {
    if (FAILURES.equals(System.getProperty(LOG_SETTINGS))) {
      System.setProperty(LOG_SETTINGS, "classpath:log4j2.properties");
    }
  }

  private static CommandLine configured(Object command) {
    CommandLine line =
        new CommandLine(command)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF))
            .setUsageHelpWidth(100)
            .setParameterExceptionHandler(
                (wrong, arguments) -> misused(wrong.getCommandLine(), wrong.getMessage()));
    layOut(line);
    return line;
  }

  /** Keeps options in declaration order; separates sections by an empty line. */
  private static void layOut(CommandLine line) {
    UsageMessageSpec usage = line.getCommandSpec().usageMessage();
    usage
        .sortOptions(false)
        .sortSynopsis(false)
        .descriptionHeading("%n")
        .parameterListHeading("%n")
        .optionListHeading("%n")
        .commandListHeading("%n")
        .footerHeading(usage.footer().length == 0 ? "" : "%n");
    line.getSubcommands().values().forEach(CommandLines::layOut);
  }
}
