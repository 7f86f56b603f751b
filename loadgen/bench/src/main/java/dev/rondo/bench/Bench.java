package dev.rondo.bench;

import dev.rondo.bench.ingest.ColdStartCommand;
import dev.rondo.bench.ingest.IngestCommand;
import dev.rondo.bench.ingest.ReplayBenchCommand;
import dev.rondo.bench.ingest.SaturationCommand;
import dev.rondo.bench.peers.PeersCommand;
import dev.rondo.bench.points.PointsCommand;
import dev.rondo.bench.postgres.ReadCommand;
import dev.rondo.bench.postgres.SinkCommand;
import dev.rondo.bench.postgres.StorageCommand;
import dev.rondo.bench.scale.ScaleCommand;
import dev.rondo.connection.command.CommandLines;
import dev.rondo.embedded.OpenAtExit;
import dev.rondo.harness.CommandFailedException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command {@code ./rondo bench}. */
@Command(
    name = "bench",
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Measures what Rondo costs.",
      "",
      "A benchmark starts its own broker, topology and PostgreSQL in a temporary folder and stops them"
          + " at its end; a running Rondo is not touched."
    },
    subcommands = {
      PointsCommand.class,
      RestartCommand.class,
      SinkCommand.class,
      ReadCommand.class,
      StorageCommand.class,
      IngestCommand.class,
      ColdStartCommand.class,
      ReplayBenchCommand.class,
      SaturationCommand.class,
      PeersCommand.class,
      FootprintCommand.class,
      ScaleCommand.class
    })
public final class Bench {
  /** Runs the command after its name, and exits with its code. */
  public static void main(String[] arguments) {
    CommandLines.logBy(CommandLines.FAILURES);
    CommandLines.run(name -> commandLine(), arguments);
  }

  public static CommandLine commandLine() {
    CommandLine bench = CommandLines.of(new Bench());
    bench.getSubcommands().get("points").setUnmatchedOptionsArePositionalParams(true); // for JMH
    return bench.setExecutionExceptionHandler((failure, command, parsed) -> report(failure));
  }

  private static int report(Exception failure) throws Exception {
    if (OpenAtExit.isExiting()) {
      return CommandLine.ExitCode.SOFTWARE; // the failure is a result of the shutdown
    }
    if (failure instanceof BenchException || failure instanceof CommandFailedException) {
      System.err.println(CommandLines.PREFIX + failure.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    }
    throw failure;
  }
}
