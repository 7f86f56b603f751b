package dev.rondo.tools.series;

import dev.rondo.connection.command.CommandLines;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code ./rondo series}. */
@Command(
    name = "series",
    synopsisSubcommandLabel = "COMMAND",
    description =
        "Lists, counts, deletes and renames the series that the topology knows, while it runs.",
    subcommands = {ListCommand.class, TopCommand.class, DeleteCommand.class, RenameCommand.class})
public final class SeriesCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw CommandLines.unnamed(spec, "do");
  }
}
