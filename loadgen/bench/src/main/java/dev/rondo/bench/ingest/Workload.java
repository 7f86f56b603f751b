package dev.rondo.bench.ingest;

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
 */
record Workload(
    String name,
    String format,
    boolean isKeyed,
    String keys,
    int batch,
    int series,
    double intervalSeconds) {
  /** Series per machine: a record holds points of one machine. */
  private static final int MIN_METRICS = 100;

  /** Intervals from which on agents round times to them. */
  private static final double COLLECTED_SECONDS = 5;

  /** Points per second. */
  double rate() {
    return series / intervalSeconds;
  }

  /** The same with another rate of points. */
  Workload atRate(double rate) {
    return new Workload(name, format, isKeyed, keys, batch, series, series / rate);
  }

  /** The sources file. */
  String sources() {
    return """
        sources:
          - topic: points
            format: %s
            keyed: %b
        """
        .formatted(format, isKeyed);
  }

  /** Options for {@code ./rondo loadgen}, without rate and duration. */
  List<String> loadOptions() {
    return List.of(
        "--format=" + format,
        "--series=" + series,
        "--metrics=" + Math.max(MIN_METRICS, batch),
        "--batch=" + batch,
        "--keys=" + keys,
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
