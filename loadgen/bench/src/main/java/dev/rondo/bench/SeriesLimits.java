package dev.rondo.bench;

import dev.rondo.topology.policy.Policies;

/** Settings of a topology that accepts all series of a benchmark, and all at once. */
public record SeriesLimits(int series) {
  /** Series that a command may add to those of its workload. */
  private static final int OTHER_SERIES = 100_000;

  /** The policies file: the default policy, for all series. */
  public String policies() {
    return Policies.DEFAULT_YAML.stripTrailing() + "\n    max.series: " + most() + "\n";
  }

  /** Settings of the topology, a line each. */
  public String topologySettings() {
    return "new.series.burst=" + most() + "\n";
  }

  /** More than all series: partitions get equal shares of a limit, but not of the series. */
  private int most() {
    return 2 * series + OTHER_SERIES;
  }
}
