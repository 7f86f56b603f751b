package dev.rondo.topology.lag;

import dev.rondo.schemas.LagBuckets;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;

/** How late points reached a stage: their number by lag. Safe to share between threads. */
final class LagHistogram {
  private final LongAdder[] points = new LongAdder[LagBuckets.COUNT];
  private final LongAdder sumMs = new LongAdder();

  LagHistogram() {
    for (int bucket = 0; bucket < points.length; bucket++) {
      points[bucket] = new LongAdder();
    }
  }

  /** Adds points that were all so late, ms; clocks may make it negative, which counts as 0. */
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

  /** All points. */
  long count() {
    return LongStream.of(counts()).sum();
  }

  double sumSeconds() {
    return sumMs.sum() / 1000.0;
  }
}
