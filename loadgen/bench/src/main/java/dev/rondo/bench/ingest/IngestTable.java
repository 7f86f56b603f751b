package dev.rondo.bench.ingest;

import java.util.List;

/** Prints the results of the steps: each in detail, and all as one table. */
final class IngestTable {
  private static final List<String> PARTS = List.of("topology", "kafka", "postgres", "connect");

  private IngestTable() {}

  static void print(List<Step.Result> results) {
    results.forEach(IngestTable::print);
    if (results.size() > 1) {
      compare(results);
    }
  }

  private static void print(Step.Result result) {
    System.out.printf(
        "%n%s, %,.0f points/s: %s%n",
        result.workload(), result.rate(), result.isSustained() ? "sustained" : "not sustained");
    line("consumed", "%,.0f points/s".formatted(result.pointsPerSecond()));
    line("lag at the end", "%.2f s".formatted(result.lagSeconds()));
    line("lag grows by", "%.2f %% of the rate".formatted(100 * result.lagGrowth()));
    if (result.droppedPoints() > 0) {
      line("not stored", "%,d points".formatted(result.droppedPoints()));
    }
    line(
        "CPU s per million points",
        "%.2f, %.2f without the load generator"
            .formatted(
                result.cpuOfRondo() + result.cpuSeconds().get("loadgen"), result.cpuOfRondo()));
    result.cpuSeconds().forEach((part, cpu) -> line("  " + part, "%.2f".formatted(cpu)));
    line("  JIT compilers, of that", "%.2f".formatted(result.compilerCpuSeconds()));
    result.residentMb().forEach((part, mb) -> line("memory of " + part, "%,d MB".formatted(mb)));
    line("to the broker's disk", "%.1f B per point".formatted(result.kafkaBytes()));
    line("WAL of PostgreSQL", "%.1f B per point".formatted(result.walBytes()));
    line(
        "slot's end to readable",
        "p50 %,.0f ms, p99 %,.0f ms".formatted(result.visibleP50Ms(), result.visibleP99Ms()));
    line(
        "closing point to readable",
        "p50 %,.0f ms, p99 %,.0f ms".formatted(result.closedP50Ms(), result.closedP99Ms()));
    if (result.verified() != null) {
      line("./rondo verify", result.verified());
    }
  }

  private static void compare(List<Step.Result> results) {
    System.out.printf(
        "%n%-14s %9s  %9s  %s  %8s  %10s%n",
        "CPU s/million", "points/s", "all parts", String.join("  ", PARTS), "disk B", "sustained");
    for (Step.Result result : results) {
      var parts = new StringBuilder();
      for (String part : PARTS) {
        double cpu = result.cpuSeconds().getOrDefault(part, 0.0);
        parts.append(("%" + part.length() + ".2f  ").formatted(cpu));
      }
      System.out.printf(
          "%-14s %,9.0f  %9.2f  %s%8.1f  %10s%n",
          result.workload().name(),
          result.rate(),
          result.cpuOfRondo(),
          parts,
          result.kafkaBytes(),
          result.isSustained() ? "yes" : "no");
    }
  }

  static void line(String what, String value) {
    System.out.printf("  %-26s %s%n", what, value);
  }
}
