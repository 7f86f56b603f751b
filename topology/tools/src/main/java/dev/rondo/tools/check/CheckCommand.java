package dev.rondo.tools.check;

import dev.rondo.tools.command.Commands;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./rondo check}: looks, and changes nothing. */
@Command(
    name = "check",
    synopsisSubcommandLabel = "source",
    description = "What would become of what is there.",
    subcommands = SourceCommand.class)
public final class CheckCommand implements Runnable {
  @Spec private CommandSpec spec;

  /** Runs the command and exits with its code. */
  public static void main(String[] arguments) {
    Commands.run(new CheckCommand(), arguments);
  }

  static CommandLine commandLine() {
    return Commands.commandLine(new CheckCommand());
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "there is nothing to check but: source");
  }
}
