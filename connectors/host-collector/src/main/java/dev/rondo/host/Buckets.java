package dev.rondo.host;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A Prometheus histogram.
 *
 * <pre>
 * le     0.1   1    10   +Inf
 * count   4   10    12   12        0.5 quantile: 0.1 + (6 - 4) / (10 - 4) * (1 - 0.1) = 0.4
 * </pre>
 *
 * @param counts cumulative counts by upper bound
 */
record Buckets(NavigableMap<Double, Double> counts) {
  Buckets() {
    this(new TreeMap<>());
  }

  /** Adds a bucket, or adds its count to the bucket of the same bound. */
  void add(double upperBound, double count) {
    counts.merge(upperBound, count, Double::sum);
  }

  /** Returns what was added since; everything if a count went down, as the part was restarted. */
  Buckets since(Buckets earlier) {
    var since = new Buckets();
    counts.forEach(
        (bound, count) -> since.add(bound, count - earlier.counts.getOrDefault(bound, 0.0)));
    return since.counts.values().stream().anyMatch(count -> count < 0) ? this : since;
  }

  /**
   * Returns the quantile, interpolated within its bucket; the largest finite bound if it is above
   * that, NaN without values.
   *
   * @param share 0..1
   */
  double quantile(double share) {
    double total = counts.isEmpty() ? 0 : counts.lastEntry().getValue();
    double rank = share * total;
    double lowerBound = 0;
    double below = 0;
    for (Map.Entry<Double, Double> bucket : counts.entrySet()) {
      double upperBound = bucket.getKey();
      double count = bucket.getValue();
      if (count >= rank && count > below) {
        return upperBound == Double.POSITIVE_INFINITY
            ? lowerBound
            : lowerBound + (upperBound - lowerBound) * (rank - below) / (count - below);
      }
      lowerBound = upperBound;
      below = count;
    }
    return Double.NaN;
  }
}
