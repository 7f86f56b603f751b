package dev.rondo.bench.postgres.server;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;

/**
 * Times of runs of a question, ms.
 *
 * @param rows of the last answer
 */
public record Latency(int runs, int rows, double p50, double p99) {

  /** The text of one run. */
  @FunctionalInterface
  public interface Run {
    String sql(int run);
  }

  /** Each until its last row is here as text. */
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
