package dev.rondo.schemas;

/**
 * Buckets of the histogram {@code rondo_lag_seconds}, which the topology and the sink export.
 *
 * <pre>
 *   lag      0.05 s   0.2   0.3            2 h
 *   bound         0.1   0.3   1   …   3600    ∞
 *   bucket         0     1    2   …     9    10
 * </pre>
 */
public final class LagBuckets {
  private static final long[] BOUNDS_MS = {
    100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_600_000
  };

  public static final int COUNT = BOUNDS_MS.length + 1;

  private LagBuckets() {}

  /** Returns the bucket of a lag in ms. */
  public static int of(long lagMs) {
    int bucket = 0;
    while (bucket < BOUNDS_MS.length && lagMs > BOUNDS_MS[bucket]) {
      bucket++;
    }
    return bucket;
  }

  /** Upper bounds, seconds; the last is infinite. */
  public static double[] boundsSeconds() {
    double[] bounds = new double[COUNT];
    for (int bucket = 0; bucket < BOUNDS_MS.length; bucket++) {
      bounds[bucket] = BOUNDS_MS[bucket] / 1000.0;
    }
    bounds[BOUNDS_MS.length] = Double.POSITIVE_INFINITY;
    return bounds;
  }
}
