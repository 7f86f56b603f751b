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
 * Makes the commands of {@code ./rondo} alike. Wrong usage prints one line on standard error, which
 * begins with {@code rondo: } and names the help, and exits with code 2.
 */
public final class CommandLines {
  /** How users call the program; the launcher of a release sets the property. */
  public static final String PROGRAM = System.getProperty("rondo.program", "./rondo");

  /** Prefix of the line of an error. */
  public static final String PREFIX = "rondo: ";

  /** Log settings: failures only, to standard error. */
  public static final String FAILURES = "classpath:dev/rondo/connection/command/log4j2.properties";

  private static final String LOG_SETTINGS = "log4j2.configurationFile";

  private CommandLines() {}

  /** The program itself, for a description of all commands. */
  public static CommandLine program(Iterable<CommandLine> commands) {
    CommandLine program = configured(CommandSpec.create().name(PROGRAM));
    addAll(program, commands);
    return program;
  }

  /** Makes commands that {@link #of} made subcommands of another, to be described. */
  public static void addAll(CommandLine parent, Iterable<CommandLine> commands) {
    for (CommandLine command : commands) {
      CommandSpec spec = command.getCommandSpec();
      spec.name(spec.name().replace(PROGRAM + " ", ""));
      parent.addSubcommand(command);
    }
  }

  /** A command of the program, ready to be executed. */
  public static CommandLine of(Object command) {
    CommandLine line = configured(command);
    CommandSpec spec = line.getCommandSpec();
    spec.name(PROGRAM + " " + spec.name()); // picocli executes no command that has a parent
    return line;
  }

  /**
   * Runs the command that the first argument names, and ends this process with its exit code.
   *
   * @param commands a command by its name; null = there is none
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
   * Wrong usage of a group of commands: none of them was named.
   *
   * @param verb what they do
   */
  public static ParameterException unnamed(CommandSpec group, String verb) {
    List<String> names = List.copyOf(group.subcommands().keySet());
    int last = names.size() - 1;
    return new ParameterException(
        group.commandLine(),
        "nothing to %s given, expected: %s or %s"
            .formatted(verb, String.join(", ", names.subList(0, last)), names.get(last)));
  }

  /** Chooses the settings of the log, unless the user did. To be called before the first logger. */
  public static void logBy(String settings) {
    if (System.getProperty(LOG_SETTINGS) == null) {
      System.setProperty(LOG_SETTINGS, settings);
    }
  }

  /** Logs as a part of Rondo does where only failures would be logged. */
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

  /** Options in the order of their classes; an empty line between the sections. */
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
