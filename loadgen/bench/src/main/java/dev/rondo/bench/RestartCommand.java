package dev.rondo.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.ToLongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Time until a killed topology consumes again. */
@Command(
    name = "restart",
    description = "Kills the topology under load and reports when it consumes again.")
final class RestartCommand implements Callable<Integer> {
  @Option(
      names = "--series",
      paramLabel = "N",
      defaultValue = "500000",
      description = "Number of known series (default: 500000).")
  private int series;

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "3",
      description = "Number of kills (default: 3).")
  private int runs;

  @Mixin private Fleet fleet;

  @Option(names = "--json", description = "One JSON object, for programs.")
  private boolean json;

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
    try (Stage stage = fleet.start(series)) {
      fleet.fill(stage, series, new Progress());
      List<Timeline> timelines = new ArrayList<>();
      try (Trickle trickle =
          Trickle.start(new Series(series, fleet.partitions), stage.producer())) {
        for (int run = 0; run < runs; run++) {
          timelines.add(Restart.measure(stage, trickle));
        }
      }
      Result result = new Result(series, fleet.partitions, timelines, State.of(stage, series));
      print(result);
    }
    return 0;
  }

  private void print(Result result) throws Exception {
    if (json) {
      System.out.println(new ObjectMapper().writeValueAsString(result));
      return;
    }
    System.out.printf(
        "%,d series, %d partitions; ms since the process was restarted%n%n",
        result.series(), result.partitions());
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
    result.state().print();
  }

  private static void line(List<Timeline> runs, String what, ToLongFunction<Timeline> moment) {
    long[] sorted = runs.stream().mapToLong(moment).sorted().toArray();
    System.out.printf(
        "%-36s %,8d %,8d %,8d%n",
        what, sorted[0], sorted[sorted.length / 2], sorted[sorted.length - 1]);
  }
}
