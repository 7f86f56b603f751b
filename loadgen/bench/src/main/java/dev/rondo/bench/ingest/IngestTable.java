package dev.rondo.bench.ingest;

import java.util.List;

/** Prints the results of the steps. */
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
      line("taken in", "%,.0f points/s".formatted(result.pointsPerSecond()));
      line("lag at the end", "%.2f s".formatted(result.lagSeconds()));
      line("lag grows by", "%.2f %% of the rate".formatted(100 * result.lagGrowth()));
      double all = result.cpuSeconds().values().stream().mapToDouble(cpu -> cpu).sum();
      double generator = result.cpuSeconds().get("loadgen");
      line(
          "CPU s per million points",
          "%.2f, %.2f without the load generator".formatted(all, all - generator));
      result.cpuSeconds().forEach((part, cpu) -> line("  " + part, "%.2f".formatted(cpu)));
      result.residentMb().forEach((part, mb) -> line("memory of " + part, "%,d MB".formatted(mb)));
      line("to the broker's disk", "%.1f B per point".formatted(result.kafkaBytes()));
      line("WAL of PostgreSQL", "%.1f B per point".formatted(result.walBytes()));
      line(
          "slot's end to readable",
          "p50 %,.0f ms, p99 %,.0f ms".formatted(result.visibleP50Ms(), result.visibleP99Ms()));
      if (result.verified() != null) {
        line("./rondo verify", result.verified());
      }
    }
  }

  static void line(String what, String value) {
    System.out.printf("  %-26s %s%n", what, value);
  }
}
