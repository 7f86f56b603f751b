package dev.rondo.connect.postgres.metrics;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Cumulative histogram of put durations: per bound, the number of puts that took no longer.
 *
 * <pre>
 * took   0.0004   0.03   0.04            70 s
 * bound  0.001 … 0.02   0.05 …    60   +Inf
 * count      1       1      3       3      4
 * </pre>
 */
final class PutHistogram {
  private static final double[] BOUNDS_S = {
    0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60
  };

  private final long[] counts =
      new long[BOUNDS_S.length + 1]; // not cumulative; the last is above all bounds
  private double sumS;
  private long count;

  void add(double tookS) {
    int bucket = 0;
    while (bucket < BOUNDS_S.length && tookS > BOUNDS_S[bucket]) {
      bucket++;
    }
    counts[bucket]++;
    count++;
    sumS += tookS;
  }

  /** Upper bound in seconds, as text, to the number of puts that took no longer. */
  Map<String, Long> cumulative() {
    var buckets = new LinkedHashMap<String, Long>();
    long below = 0;
    for (int k = 0; k < BOUNDS_S.length; k++) {
      below += counts[k];
      buckets.put(Double.toString(BOUNDS_S[k]), below);
    }
    buckets.put("+Inf", count);
    return buckets;
  }

  long count() {
    return count;
  }

  double sumS() {
    return sumS;
  }
}
