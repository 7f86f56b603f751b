package dev.rondo.formats.otlp;

import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint.Buckets;

/**
 * Reduces one sign of an exponential histogram to few buckets with stable bounds. Bucket i holds
 * the values in (base^i, base^(i+1)], base = 2^(2^−scale). A sender lowers its scale when its
 * values spread; each step merges pairs of neighbours:
 *
 * <pre>
 *   scale 1    1 |--- 1.41 ---| 2 |--- 2.83 ---| 4
 *   scale 0    1 |------------| 2 |------------| 4
 * </pre>
 *
 * This class merges in the same way until the scale is at most {@link #FINEST_SCALE}, two bounds
 * per doubling, and there are at most {@link #MAX_BUCKETS} buckets. Merging keeps all counts exact.
 */
final class ExponentialBuckets {
  static final int FINEST_SCALE = 1;
  static final int MAX_BUCKETS = 160;

  /** Below this scale, one bucket covers the range of a double. */
  private static final int COARSEST_SCALE = -64;

  /** After this many merges, an index of 32 bits is 0 or −1 and no longer changes. */
  private static final int ALL_STEPS = 40;

  private static final ExponentialBuckets NONE = new ExponentialBuckets(0, 0, new double[0]);

  private final int scale;
  private final long firstIndex;
  private final double[] counts;

  private ExponentialBuckets(int scale, long firstIndex, double[] counts) {
    this.scale = scale;
    this.firstIndex = firstIndex;
    this.counts = counts;
  }

  /** Skips empty buckets at both ends, which some senders include. */
  static ExponentialBuckets of(Buckets sent, int sentScale) {
    int from = 0;
    int to = sent.getBucketCountsCount();
    while (from < to && sent.getBucketCounts(from) == 0) {
      from++;
    }
    while (to > from && sent.getBucketCounts(to - 1) == 0) {
      to--;
    }
    return from == to ? NONE : merged(sent, from, to, Math.max(sentScale, COARSEST_SCALE));
  }

  private static ExponentialBuckets merged(Buckets sent, int from, int to, int scale) {
    long first = (long) sent.getOffset() + from;
    long last = (long) sent.getOffset() + to - 1;
    int steps = Math.min(Math.max(scale - FINEST_SCALE, 0), ALL_STEPS);
    int coarser = Math.min(scale, FINEST_SCALE);
    while ((last >> steps) - (first >> steps) >= MAX_BUCKETS) {
      steps++;
      coarser--;
    }
    double[] counts = new double[(int) ((last >> steps) - (first >> steps)) + 1];
    for (int n = from; n < to; n++) {
      int at = (int) ((((long) sent.getOffset() + n) >> steps) - (first >> steps));
      counts[at] += Unsigned.toDouble(sent.getBucketCounts(n));
    }
    return new ExponentialBuckets(coarser, first >> steps, counts);
  }

  int size() {
    return counts.length;
  }

  /** Count of bucket {@code n}, from 0. */
  double count(int n) {
    return counts[n];
  }

  /** Upper bound; infinite if it exceeds a double. */
  double upperBound(int n) {
    return bound(firstIndex + n + 1);
  }

  /** Lower bound; 0 if it is too small for a double. */
  double lowerBound(int n) {
    return bound(firstIndex + n);
  }

  private double bound(long index) {
    return Math.pow(2, index * Math.scalb(1.0, -scale));
  }
}
