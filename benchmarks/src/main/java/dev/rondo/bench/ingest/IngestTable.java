package dev.rondo.bench.ingest;

import java.util.List;

/** Steps, for people. */
final class IngestTable {
  private IngestTable() {}

  static void print(List<Step.Result> results) {
    for (Step.Result result : results) {
      System.out.printf(
          "%n%s, %,d series, %,.0f points/s: %s%n",
          result.profile(),
          result.series(),
          result.rate(),
          result.isSustained() ? "sustained" : "not sustained");
      line("taken in", "%,.0f points/s", result.pointsPerSecond());
      line("lag at the end", "%.2f s", result.lagSeconds());
      line("lag grows by", "%.2f %% of the rate", 100 * result.lagGrowth());
      double all = result.cpuSeconds().values().stream().mapToDouble(cpu -> cpu).sum();
      line(
          "CPU s a million points",
          "%.2f, %.2f without the load generator",
          all,
          all - result.cpuSeconds().get("loadgen"));
      result
          .cpuSeconds()
          .forEach(
              (part, cpu) ->
                  line(
                      "  " + part,
                      result.residentMb().containsKey(part) ? "%.2f, %,d MB" : "%.2f",
                      cpu,
                      result.residentMb().get(part)));
      line("to the broker's disk", "%.1f B a point", result.kafkaBytes());
      line("WAL of PostgreSQL", "%.1f B a point", result.walBytes());
      line(
          "slot's end to readable",
          "p50 %,.0f ms, p99 %,.0f ms",
          result.visibleP50Ms(),
          result.visibleP99Ms());
      if (result.verified() != null) {
        line("./rondo verify", "%s", result.verified());
      }
    }
  }

  private static void line(String what, String format, Object... values) {
    System.out.printf("  %-26s %s%n", what, format.formatted(values));
  }
}
