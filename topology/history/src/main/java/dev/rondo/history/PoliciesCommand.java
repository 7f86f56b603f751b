package dev.rondo.history;

import dev.rondo.history.fill.FillCommand;
import dev.rondo.history.prune.PruneCommand;
import dev.rondo.tools.command.Commands;
import dev.rondo.tools.policies.ApplyCommand;
import dev.rondo.tools.policies.DiffCommand;
import dev.rondo.tools.policies.ImportCommand;
import dev.rondo.tools.policies.ShowCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code ./rondo policies}. */
@Command(
    name = "policies",
    customSynopsis = {
      "./rondo policies show [--version=N | --list | --fills]  (see show --help)",
      "./rondo policies diff FILE",
      "./rondo policies apply FILE [--dry-run]",
      "./rondo policies fill [--once | --dry-run] [--rate=ROWS]",
      "./rondo policies prune [--dry-run]  (removes what no query can reach from PostgreSQL)",
      "./rondo policies import SCHEMAS [AGGREGATION] [--output=FILE]"
    },
    description =
        "%nShows and changes the policies, fills their new archives, or writes a policies file from "
            + "Graphite's. Each has its own --help.",
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

  /** Runs the command and exits with its code. */
  public static void main(String[] arguments) {
    Commands.run(new PoliciesCommand(), arguments);
  }

  public static CommandLine commandLine() {
    return Commands.commandLine(new PoliciesCommand());
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "nothing to do given, expected: show, diff, apply, fill, prune or import");
  }
}
