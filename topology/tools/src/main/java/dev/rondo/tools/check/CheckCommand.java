package dev.rondo.tools.check;

import dev.rondo.tools.command.Commands;
import dev.rondo.tools.policies.CheckPoliciesCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code ./rondo check}: reads only, changes nothing. */
@Command(
    name = "check",
    synopsisSubcommandLabel = "(source | replication | access | policies)",
    description =
        "Previews what Rondo would make of sources, or of a policies file; checks replication and rights.",
    subcommands = {
      SourceCommand.class,
      ReplicationCommand.class,
      AccessCommand.class,
      CheckPoliciesCommand.class
    })
public final class CheckCommand implements Runnable {
  @Spec private CommandSpec spec;

  /** Runs the command and exits with its code. */
  public static void main(String[] arguments) {
    Commands.run(new CheckCommand(), arguments);
  }

  public static CommandLine commandLine() {
    return Commands.commandLine(new CheckCommand());
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "nothing to check given, expected: source, replication, access or policies");
  }
}
