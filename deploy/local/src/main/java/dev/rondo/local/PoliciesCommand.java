package dev.rondo.local;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The subcommands of {@code ./rondo policies} that need PostgreSQL; the tools have the others. */
@Command(name = "policies", subcommands = PruneCommand.class)
final class PoliciesCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "nothing to do given, expected: prune");
  }
}
