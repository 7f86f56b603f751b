package dev.rondo.bench.ingest;

import dev.rondo.harness.SeriesLimits;
import java.util.List;

/**
 * What a load sends, and how its topic is read.
 *
 * @param name of its profile
 * @param format of the records
 * @param isKeyed whether the source is {@code keyed}, so that its points are not merged
 * @param keys record keys, as {@code ./rondo loadgen --keys}
 * @param batch maximum points per record
 * @param series number of series
 * @param intervalSeconds interval between the points of a series
 * @param oneOf the series are those of one of so many instances of a deployment; 1: all series
 */
public record Workload(
    String name,
    String format,
    boolean isKeyed,
    String keys,
    int batch,
    int series,
    double intervalSeconds,
    int oneOf) {
  /** Series per machine: a record holds points of one machine. */
  private static final int MIN_METRICS = 100;

  /** Intervals from which on agents round times to them. */
  private static final double COLLECTED_SECONDS = 5;

  /** With all series of the deployment. */
  public Workload(
      String name,
      String format,
      boolean isKeyed,
      String keys,
      int batch,
      int series,
      double intervalSeconds) {
    this(name, format, isKeyed, keys, batch, series, intervalSeconds, 1);
  }

  /** Points per second. */
  public double rate() {
    return series / intervalSeconds;
  }

  /** The same with another number of series, and another interval; null: the same. */
  public Workload with(Integer otherSeries, Double otherInterval) {
    return new Workload(
        name,
        format,
        isKeyed,
        keys,
        batch,
        otherSeries == null ? series : otherSeries,
        otherInterval == null ? intervalSeconds : otherInterval,
        oneOf);
  }

  /** The same, with the series of one of so many instances of a deployment. */
  public Workload oneOf(int instances) {
    return new Workload(name, format, isKeyed, keys, batch, series, intervalSeconds, instances);
  }

  /** The same in another format. */
  public Workload inFormat(String other) {
    return new Workload(name, other, isKeyed, keys, batch, series, intervalSeconds, oneOf);
  }

  /** The same with another rate of points. */
  public Workload atRate(double rate) {
    return new Workload(name, format, isKeyed, keys, batch, series, series / rate, oneOf);
  }

  /** The sources file. */
  public String sources() {
    return """
        sources:
          - topic: points
            format: %s
            keyed: %b
        """
        .formatted(format, isKeyed);
  }

  /** Limits of Rondo that all series are within. */
  public SeriesLimits limits() {
    return new SeriesLimits(series);
  }

  /** Options for {@code ./rondo loadgen}, without rate and duration. */
  public List<String> loadOptions() {
    return List.of(
        "--format=" + format,
        "--series=" + series,
        "--metrics=" + Math.max(MIN_METRICS, batch),
        "--batch=" + batch,
        "--keys=" + keys,
        "--one-of=" + oneOf,
        "--shape=" + (intervalSeconds < COLLECTED_SECONDS ? "steady" : "collectors"));
  }

  @Override
  public String toString() {
    return "%s: %s, %s source, keys %s, %,d a record, %,d series every %s s"
        .formatted(
            name,
            format,
            isKeyed ? "keyed" : "unkeyed",
            keys,
            batch,
            series,
            intervalSeconds == Math.rint(intervalSeconds)
                ? "%.0f".formatted(intervalSeconds)
                : "%.2f".formatted(intervalSeconds));
  }
}
