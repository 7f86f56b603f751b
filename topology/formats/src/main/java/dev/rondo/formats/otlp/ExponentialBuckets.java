package dev.rondo.formats.otlp;

import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint.Buckets;

/**
 * One sign of an exponential histogram as few buckets, whose bounds stay the same. Bucket i holds
 * the values in (base^i, base^(i+1)], base = 2^(2^−scale). A sender lowers its scale as its values
 * spread, and by one step each two neighbours become one bucket:
 *
 * <pre>
 *   scale 1    1 |--- 1.41 ---| 2 |--- 2.83 ---| 4
 *   scale 0    1 |------------| 2 |------------| 4
 * </pre>
 *
 * The same is done here until the scale is {@link #FINEST_SCALE} at most, two bounds for each
 * doubling, and there are {@link #MOST} buckets at most. No value is counted wrongly by it.
 */
final class ExponentialBuckets {
  static final int FINEST_SCALE = 1;
  static final int MOST = 160;

  /** Below this, one bucket holds all that a double can. */
  private static final int COARSEST_SCALE = -64;

  /** After so many, an index of 32 bits is 0 or −1 and stays so. */
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

  /** Empty buckets at either end are left out: some senders always have a few. */
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
    while ((last >> steps) - (first >> steps) >= MOST) {
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

  /** Values in bucket {@code n}, from 0. */
  double count(int n) {
    return counts[n];
  }

  /** Infinite where it is beyond what a double holds. */
  double upperBound(int n) {
    return bound(firstIndex + n + 1);
  }

  /** 0 where it is below what a double holds. */
  double lowerBound(int n) {
    return bound(firstIndex + n);
  }

  private double bound(long index) {
    return Math.pow(2, index * Math.scalb(1.0, -scale));
  }
}
