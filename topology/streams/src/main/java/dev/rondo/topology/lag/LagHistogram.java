package dev.rondo.topology.lag;

import dev.rondo.schemas.LagBuckets;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;

/** Histogram of the lags of points at a stage. Safe to share between threads. */
final class LagHistogram {
  private final LongAdder[] points = new LongAdder[LagBuckets.COUNT];
  private final LongAdder sumMs = new LongAdder();

  LagHistogram() {
    for (int bucket = 0; bucket < points.length; bucket++) {
      points[bucket] = new LongAdder();
    }
  }

  /** Adds points with the same lag, ms. Clocks may make it negative, which counts as 0. */
  void add(long lagMs, long more) {
    long ms = Math.max(0, lagMs);
    points[LagBuckets.of(ms)].add(more);
    sumMs.add(ms * more);
  }

  /** Points by bucket, not cumulative. */
  long[] counts() {
    long[] counts = new long[points.length];
    for (int bucket = 0; bucket < points.length; bucket++) {
      counts[bucket] = points[bucket].sum();
    }
    return counts;
  }

  /** Number of all points. */
  long count() {
    return LongStream.of(counts()).sum();
  }

  double sumSeconds() {
    return sumMs.sum() / 1000.0;
  }
}
