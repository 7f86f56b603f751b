package dev.rondo.tools.series;

import dev.rondo.tools.command.Commands;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code ./rondo series}. */
@Command(
    name = "series",
    customSynopsis = {
      "./rondo series list PATTERN|TAGEXPR... [--newest]  (see list --help)",
      "./rondo series top [--by=policy|source|prefix|label] [--new-since=SPAN]",
      "./rondo series delete PATTERN|TAGEXPR... [--silent-since=SPAN] [--dry-run] [--yes]",
      "./rondo series rename OLD NEW | --file=FILE [--dry-run] [--yes]"
    },
    description =
        "%nLists, counts, deletes and renames the series that the topology knows, while it runs. Each has "
            + "its own --help.",
    subcommands = {ListCommand.class, TopCommand.class, DeleteCommand.class, RenameCommand.class})
public final class SeriesCommand implements Runnable {
  @Spec private CommandSpec spec;

  /** Runs the command and exits with its code. */
  public static void main(String[] arguments) {
    Commands.run(new SeriesCommand(), arguments);
  }

  public static CommandLine commandLine() {
    return Commands.commandLine(new SeriesCommand()).setCaseInsensitiveEnumValuesAllowed(true);
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "nothing to do given, expected: list, top, delete or rename");
  }
}
