package dev.rondo.tools.check;

import dev.rondo.connection.command.CommandLines;
import dev.rondo.tools.access.AccessCommand;
import dev.rondo.tools.check.source.SourceCommand;
import dev.rondo.tools.policies.CheckPoliciesCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code ./rondo check}: reads only, changes nothing. */
@Command(
    name = "check",
    synopsisSubcommandLabel = "COMMAND",
    description = "Previews sources and policies; checks replication and rights.",
    subcommands = {
      SourceCommand.class,
      ReplicationCommand.class,
      AccessCommand.class,
      CheckPoliciesCommand.class
    })
public final class CheckCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw CommandLines.unnamed(spec, "check");
  }
}
