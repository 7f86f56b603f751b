package dev.rondo.bench.ingest;

import picocli.CommandLine.Option;

/** Another number of series, or another interval, than a profile has. */
public final class SizeOptions {
  @Option(
      names = "--series",
      paramLabel = "N",
      description = "Number of series (default: the profile's).")
  private Integer series;

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      description = "Interval between the points of a series (default: the profile's).")
  private Double intervalSeconds;

  /** The workload of a profile in this size. */
  public Workload of(Workload profile) {
    return profile.with(series, intervalSeconds);
  }

  boolean haveInterval() {
    return intervalSeconds != null;
  }
}
