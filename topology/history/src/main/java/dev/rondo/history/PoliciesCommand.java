package dev.rondo.history;

import dev.rondo.connection.command.CommandLines;
import dev.rondo.history.fill.FillCommand;
import dev.rondo.history.prune.PruneCommand;
import dev.rondo.tools.policies.ApplyCommand;
import dev.rondo.tools.policies.DiffCommand;
import dev.rondo.tools.policies.ImportCommand;
import dev.rondo.tools.policies.ShowCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code ./rondo policies}. */
@Command(
    name = "policies",
    synopsisSubcommandLabel = "COMMAND",
    description =
        "Shows and changes the policies; fills and prunes archives; imports Graphite's "
            + "policies.",
    subcommands = {
      ShowCommand.class,
      DiffCommand.class,
      ApplyCommand.class,
      FillCommand.class,
      PruneCommand.class,
      ImportCommand.class
    })
public final class PoliciesCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw CommandLines.unnamed(spec, "do");
  }
}
