package dev.rondo.tools.backfill;

import dev.rondo.tools.backfill.whisper.WhisperCommand;
import dev.rondo.tools.command.Commands;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code ./rondo backfill}. */
@Command(
    name = "backfill",
    customSynopsis = "./rondo backfill whisper DIR [--dry-run]",
    description =
        "%nWrites slots of the past into the archives of a Rondo while points flow. Each command "
            + "has its own --help.",
    subcommands = WhisperCommand.class)
public final class BackfillCommand implements Runnable {
  @Spec private CommandSpec spec;

  /** Runs the command and exits with its code. */
  public static void main(String[] arguments) {
    Commands.run(new BackfillCommand(), arguments);
  }

  public static CommandLine commandLine() {
    return Commands.commandLine(new BackfillCommand());
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "nothing to do given, expected: whisper");
  }
}
