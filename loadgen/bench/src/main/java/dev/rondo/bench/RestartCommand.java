package dev.rondo.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Time until a killed topology consumes again, and memory of its state. */
@Command(
    name = "restart",
    description = {
      "Kills the topology under load and reports when it consumes again.",
      "",
      "Then the memory of a series: heap, and bytes in the changelogs."
    })
final class RestartCommand extends BenchCommand {
  @Option(
      names = "--series",
      paramLabel = "N",
      split = ",",
      defaultValue = "500000",
      description = "Numbers of known series, one after the other (default: 500000).")
  private List<Integer> series;

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "3",
      description = "Number of kills; 0: measure only the memory (default: 3).")
  private int runs;

  @Mixin private Fleet fleet;

  /**
   * Result.
   *
   * @param runs one timeline per kill
   * @param series number of series in the topology
   * @param state memory of its state
   */
  record Result(int series, int partitions, List<Timeline> runs, State state) {}

  @Override
  public Integer call() throws Exception {
    requireAtLeast("--runs", runs, 0);
    List<Result> results = new ArrayList<>();
    for (int count : series) {
      results.add(measure(count));
    }
    print(results, () -> results.forEach(RestartCommand::print));
    return 0;
  }

  private Result measure(int count) throws Exception {
    try (Stage stage = fleet.start(count)) {
      long emptyHeapBytes = stage.probe().heapAfterCollection();
      fleet.fill(stage, count, new Progress());
      List<Timeline> timelines = new ArrayList<>();
      try (Trickle trickle = Trickle.start(new Series(count, fleet.partitions), stage.producer())) {
        for (int run = 0; run < runs; run++) {
          timelines.add(Restart.measure(stage, trickle));
        }
      }
      return new Result(count, fleet.partitions, timelines, State.of(stage, count, emptyHeapBytes));
    }
  }

  private static void print(Result result) {
    System.out.printf("%,d series, %d partitions%n%n", result.series(), result.partitions());
    if (!result.runs().isEmpty()) {
      printTimes(result);
    }
    result.state().print();
    System.out.println();
  }

  private static void printTimes(Result result) {
    System.out.println("ms since the process was restarted");
    System.out.printf("%-36s %8s %8s %8s%n", "", "min", "median", "max");
    line(result.runs(), "first line of the log", Timeline::jvm);
    line(result.runs(), "joins its group", Timeline::joining);
    line(result.runs(), "has its partitions", Timeline::assigned);
    line(result.runs(), "has read its changelogs", Timeline::restored);
    line(result.runs(), "all tasks run", Timeline::running);
    line(result.runs(), "first point in its slot", Timeline::stored);
    line(result.runs(), "first point after the kill committed", Timeline::committed);
    line(result.runs(), "CPU time to the first point", Timeline::cpu);
    System.out.println();
  }

  private static void line(List<Timeline> runs, String what, ToLongFunction<Timeline> moment) {
    long[] sorted = runs.stream().mapToLong(moment).sorted().toArray();
    System.out.printf(
        "%-36s %,8d %,8d %,8d%n",
        what, sorted[0], sorted[sorted.length / 2], sorted[sorted.length - 1]);
  }
}
