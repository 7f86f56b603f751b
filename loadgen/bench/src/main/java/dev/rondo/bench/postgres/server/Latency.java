package dev.rondo.bench.postgres.server;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;

/**
 * Latencies of a query, ms.
 *
 * @param rows in the last result
 */
public record Latency(int runs, int rows, double p50, double p99) {

  /** Provides the SQL of one run. */
  @FunctionalInterface
  public interface Run {
    String sql(int run);
  }

  /** Measures each run until its last row is received as text. */
  public static Latency measure(Sql sql, int runs, Run run) throws SQLException {
    double[] times = new double[runs];
    int rows = 0;
    for (int k = 0; k < runs; k++) {
      long start = System.nanoTime();
      List<List<String>> answer = sql.rows(run.sql(k));
      times[k] = (System.nanoTime() - start) / 1e6;
      rows = answer.size();
    }
    Arrays.sort(times);
    return new Latency(runs, rows, quantile(times, 0.5), quantile(times, 0.99));
  }

  private static double quantile(double[] sorted, double share) {
    return sorted[Math.min(sorted.length - 1, (int) Math.ceil(share * sorted.length) - 1)];
  }
}
