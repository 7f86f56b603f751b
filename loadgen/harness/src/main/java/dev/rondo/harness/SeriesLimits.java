package dev.rondo.harness;

/** Settings of a topology that accepts all series of a load, and all at once. */
public record SeriesLimits(int series) {
  /** Series that a command may add to those of its load. */
  private static final int OTHER_SERIES = 100_000;

  /**
   * The policies file with room for all series in the last policy.
   *
   * @param yaml a policies file whose last policy has no {@code max.series}
   */
  public String policies(String yaml) {
    return yaml.stripTrailing() + "\n    max.series: " + most() + "\n";
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
