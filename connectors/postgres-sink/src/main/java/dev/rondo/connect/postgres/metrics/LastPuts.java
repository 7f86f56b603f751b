package dev.rondo.connect.postgres.metrics;

import java.util.Arrays;

/** Durations and rows of the last {@value #KEPT} puts, for exact percentiles. */
final class LastPuts {
  private static final int KEPT = 1000;

  private final double[] tookS = new double[KEPT];
  private final int[] rows = new int[KEPT];
  private long count;

  void add(double took, int rowsOfPut) {
    int at = (int) (count % KEPT);
    tookS[at] = took;
    rows[at] = rowsOfPut;
    count++;
  }

  /**
   * Returns a percentile in seconds; null before the first put.
   *
   * @param share above 0; 1 is the longest put
   */
  Double quantileS(double share) {
    int kept = kept();
    if (kept == 0) {
      return null;
    }
    double[] sorted = Arrays.copyOf(tookS, kept);
    Arrays.sort(sorted);
    return sorted[(int) Math.ceil(share * kept) - 1];
  }

  /** Mean rows per put; null before the first. */
  Double rowsPerPut() {
    int kept = kept();
    return kept == 0 ? null : Arrays.stream(rows, 0, kept).average().orElseThrow();
  }

  private int kept() {
    return (int) Math.min(count, KEPT);
  }
}
