package dev.rondo.bench.ingest;

import dev.rondo.bench.BenchCommand;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

/** A command that measures workloads of {@link Profile}s, each on a Rondo of its own. */
public abstract class WorkloadCommand extends BenchCommand {
  protected final Rondo.Source source;

  @Mixin protected Timing timing;

  protected WorkloadCommand(Rondo.Source source) {
    this.source = source;
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
}
