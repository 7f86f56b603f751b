package dev.rondo.bench;

import dev.rondo.bench.ingest.ColdStartCommand;
import dev.rondo.bench.ingest.IngestCommand;
import dev.rondo.bench.ingest.ReplayBenchCommand;
import dev.rondo.bench.ingest.SaturationCommand;
import dev.rondo.bench.peers.PeersCommand;
import dev.rondo.bench.postgres.ReadCommand;
import dev.rondo.bench.postgres.SinkCommand;
import dev.rondo.bench.postgres.StorageCommand;
import dev.rondo.bench.scale.ScaleCommand;
import dev.rondo.embedded.OpenAtExit;
import dev.rondo.harness.CommandFailedException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.ParameterException;

/** The command {@code ./rondo bench}. */
@Command(
    name = "bench",
    subcommands = {
      PointsCommand.class,
      RestartCommand.class,
      MemoryCommand.class,
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
  static final String PREFIX = "rondo: ";

  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    CommandLine bench = new CommandLine(new Bench());
    bench.getSubcommands().get("points").setUnmatchedOptionsArePositionalParams(true); // for JMH
    return bench
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF))
        .setParameterExceptionHandler((wrong, arguments) -> misused(wrong))
        .setExecutionExceptionHandler((failure, command, parsed) -> failed(failure));
  }

  private static int failed(Exception failure) throws Exception {
    if (OpenAtExit.isExiting()) {
      return CommandLine.ExitCode.SOFTWARE; // the failure is a result of the shutdown
    }
    if (failure instanceof BenchException || failure instanceof CommandFailedException) {
      System.err.println(PREFIX + failure.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    }
    throw failure;
  }

  private static int misused(ParameterException wrong) {
    System.err.println(PREFIX + wrong.getMessage() + "; ./rondo bench --help");
    return CommandLine.ExitCode.USAGE;
  }
}
