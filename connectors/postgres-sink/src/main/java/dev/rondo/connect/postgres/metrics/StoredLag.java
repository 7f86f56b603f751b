package dev.rondo.connect.postgres.metrics;

import dev.rondo.schemas.LagBuckets;
import dev.rondo.schemas.RowArrival;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * How late values were when they were in PostgreSQL, from the arrival of their points in Kafka on:
 * a cumulative histogram for each source topic. Topics beyond the first {@value #SOURCES} count as
 * {@value #OTHERS}.
 */
final class StoredLag {
  private static final int SOURCES = 100;
  private static final String OTHERS = "(others)";

  /** Values by bucket, not cumulative, and the sum of their lags. */
  private static final class Histogram {
    final long[] values = new long[LagBuckets.COUNT];
    long count;
    double sumS;
  }

  private final Map<String, Histogram> bySource = new TreeMap<>();

  void add(RowArrival arrival, long values, long nowMs) {
    String source = arrival.source();
    boolean known = bySource.containsKey(source) || bySource.size() < SOURCES;
    Histogram histogram = bySource.computeIfAbsent(known ? source : OTHERS, s -> new Histogram());
    long lagMs = Math.max(0, nowMs - arrival.atMs());
    histogram.values[LagBuckets.of(lagMs)] += values;
    histogram.count += values;
    histogram.sumS += values * lagMs / 1e3;
  }

  /** Source, a space and the upper bound in seconds, to the number of values no later than that. */
  Map<String, Long> cumulative() {
    var buckets = new LinkedHashMap<String, Long>();
    double[] bounds = LagBuckets.boundsSeconds();
    bySource.forEach(
        (source, histogram) -> {
          long below = 0;
          for (int bucket = 0; bucket < bounds.length; bucket++) {
            below += histogram.values[bucket];
            buckets.put(source + " " + text(bounds[bucket]), below);
          }
        });
    return buckets;
  }

  private static String text(double bound) {
    return Double.isInfinite(bound) ? "+Inf" : Double.toString(bound);
  }

  Map<String, Long> count() {
    var counts = new TreeMap<String, Long>();
    bySource.forEach((source, histogram) -> counts.put(source, histogram.count));
    return counts;
  }

  /** Seconds. */
  Map<String, Double> sum() {
    var sums = new TreeMap<String, Double>();
    bySource.forEach((source, histogram) -> sums.put(source, histogram.sumS));
    return sums;
  }
}
