package dev.rondo.bench;

import dev.rondo.harness.LocalRondo;
import dev.rondo.harness.RondoCli;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What {@code ./rondo up} takes while it only stores the metrics of this machine. */
@Command(
    name = "footprint",
    description = {
      "Measures what ./rondo up takes on an empty folder with the metrics of this machine.",
      "",
      "Time until each part is ready, and memory and CPU of each when idle."
    })
final class FootprintCommand extends BenchCommand {
  private static final String ALL = "all";
  private static final double KB_PER_MB = 1024;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "Time from ready to the measurement (default: ${DEFAULT-VALUE}).")
  private int warmUpSeconds;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description = "Duration of the measurement (default: ${DEFAULT-VALUE}).")
  private int seconds;

  /**
   * What one part takes.
   *
   * @param readySeconds from the start of the command until the part answered; 0 for the supervisor
   * @param pssMb resident memory, pages that processes share divided between them
   * @param rssMb resident memory, shared pages in full
   * @param cores CPU seconds per second
   */
  record Usage(double readySeconds, double pssMb, double rssMb, double cores) {
    static Usage of(double readySeconds, ProcessMemory memory, double cores) {
      return new Usage(readySeconds, memory.pss() / KB_PER_MB, memory.rss() / KB_PER_MB, cores);
    }

    Usage plus(Usage other) {
      return new Usage(
          Math.max(readySeconds, other.readySeconds),
          pssMb + other.pssMb,
          rssMb + other.rssMb,
          cores + other.cores);
    }
  }

  @Override
  public Integer call() throws Exception {
    requireAtLeast("--warm-up", warmUpSeconds, 0);
    requireAtLeast("--seconds", seconds, 1);
    var progress = new Progress();
    progress.show("starting Rondo", 0, 1);
    Instant began = Instant.now();
    var cli = RondoCli.forDir(Files.createTempDirectory("rondo-bench-"));
    try (LocalRondo rondo = LocalRondo.temporaryWithHostMetrics(cli)) {
      Map<String, Usage> usages = measure(rondo, began, progress);
      progress.done();
      print(usages, () -> print(usages));
      return 0;
    }
  }

  /** By part, and all together. */
  private Map<String, Usage> measure(LocalRondo rondo, Instant began, Progress progress)
      throws IOException, InterruptedException {
    await(warmUpSeconds, "warming up", progress);
    Map<String, ProcessHandle> parts = rondo.processes();
    Map<String, Double> cpuBefore = cpu(rondo, parts);
    long beforeNanos = System.nanoTime();
    await(seconds, "measuring", progress);
    Map<String, Double> cpuAfter = cpu(rondo, parts);
    double elapsed = (System.nanoTime() - beforeNanos) / 1e9;

    var usages = new LinkedHashMap<String, Usage>();
    for (String part : cpuAfter.keySet()) {
      boolean isPart = parts.containsKey(part);
      usages.put(
          part,
          Usage.of(
              isPart ? Duration.between(began, rondo.runsSince(part)).toMillis() / 1e3 : 0,
              isPart ? ProcessMemory.ofTree(parts.get(part)) : ProcessMemory.of(rondo.supervisor()),
              (cpuAfter.get(part) - cpuBefore.get(part)) / elapsed));
    }
    usages.put(ALL, usages.values().stream().reduce(Usage::plus).orElseThrow());
    return usages;
  }

  /** CPU time by part, s. The parts are children of the supervisor. */
  private static Map<String, Double> cpu(LocalRondo rondo, Map<String, ProcessHandle> parts) {
    var cpu = new LinkedHashMap<String, Double>();
    parts.forEach((part, process) -> cpu.put(part, ProcessCpu.ofTree(process)));
    cpu.put("supervisor", ProcessCpu.of(rondo.supervisor()));
    return cpu;
  }

  private static void await(int seconds, String what, Progress progress)
      throws InterruptedException {
    for (int passed = 0; passed < seconds; passed++) {
      progress.show(what, passed, seconds);
      Thread.sleep(1_000);
    }
  }

  private static void print(Map<String, Usage> usages) {
    System.out.printf("%-13s %8s %8s %8s %7s%n", "", "ready s", "PSS MB", "RSS MB", "cores");
    usages.forEach(
        (part, usage) ->
            System.out.printf(
                "%-13s %8.1f %8.0f %8.0f %7.3f%n",
                part, usage.readySeconds(), usage.pssMb(), usage.rssMb(), usage.cores()));
  }
}
