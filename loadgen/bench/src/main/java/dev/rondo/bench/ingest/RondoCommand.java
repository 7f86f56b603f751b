package dev.rondo.bench.ingest;

import dev.rondo.bench.BenchCommand;
import dev.rondo.bench.Progress;
import java.io.IOException;
import picocli.CommandLine.ParameterException;

/** A command that measures a complete Rondo. */
public abstract class RondoCommand extends BenchCommand {
  private static final int MOST_SERIES = 10_000_000;

  private final Rondo.Source source;

  protected RondoCommand(Rondo.Source source) {
    this.source = source;
  }

  /**
   * Starts an empty Rondo.
   *
   * @param topologySettings more settings of its topology, a line each
   */
  protected final Rondo start(Workload workload, String topologySettings, Progress progress)
      throws IOException, InterruptedException {
    progress.show("starting Rondo", 0, 1);
    return source.start(workload, topologySettings);
  }

  /**
   * The workload of a profile.
   *
   * @throws ParameterException if there is no profile of that name
   */
  protected final Workload workload(String profile) {
    try {
      return Profile.of(profile).workload();
    } catch (IllegalArgumentException e) {
      throw misuse("--profile: " + e.getMessage());
    }
  }

  protected final void requireSeries(int series) {
    requireBetween("--series", series, 1, MOST_SERIES);
  }

  protected final void requireInterval(double seconds) {
    requireBetween("--interval", seconds, 0.1, 3600);
  }

  /** Whether {@code ./rondo verify} found no difference, or was not asked. */
  protected static boolean isClean(String verified) {
    return verified == null || verified.equals("clean");
  }
}
