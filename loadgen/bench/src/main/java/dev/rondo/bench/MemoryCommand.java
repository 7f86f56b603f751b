package dev.rondo.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Memory of a series: on the heap and in the changelogs. */
@Command(
    name = "memory",
    description = "Measures the memory of a series: heap, and bytes in the changelogs.")
final class MemoryCommand implements Callable<Integer> {
  @Option(
      names = "--series",
      paramLabel = "N",
      split = ",",
      defaultValue = "100000,500000",
      description = "Numbers of known series, one row each (default: 100000,500000).")
  private List<Integer> series;

  @Mixin private Fleet fleet;

  @Option(names = "--json", description = "One JSON array, for programs.")
  private boolean json;

  /**
   * Result for one number of series.
   *
   * @param emptyHeapBytes heap in use after a full collection, before the first series
   */
  record Result(long emptyHeapBytes, State state) {}

  @Override
  public Integer call() throws Exception {
    List<Result> results = new ArrayList<>();
    for (int count : series) {
      try (Stage stage = fleet.start(count)) {
        long emptyHeapBytes = stage.probe().heapAfterCollection();
        fleet.fill(stage, count, new Progress());
        results.add(new Result(emptyHeapBytes, State.of(stage, count)));
      }
    }
    if (json) {
      System.out.println(new ObjectMapper().writeValueAsString(results));
    } else {
      print(results);
    }
    return 0;
  }

  private static void print(List<Result> results) {
    String row = "%11s %13s %13s %11s %18s %18s%n";
    System.out.printf(
        row, "series", "heap B/series", "heap MB", "resident", "live changelog", "on disk");
    System.out.printf(row, "", "", "after GC", "MB", "B/series", "B/series");
    for (Result result : results) {
      State state = result.state();
      int series = state.series();
      System.out.printf(
          row,
          "%,d".formatted(series),
          "%,d".formatted((state.heapBytes() - result.emptyHeapBytes()) / series),
          "%,d".formatted(state.heapBytes() >> 20),
          "%,d".formatted(state.residentBytes() >> 20),
          "%,d"
              .formatted(
                  state.changelogs().stream().mapToLong(Changelog::liveBytes).sum() / series),
          "%,d"
              .formatted(
                  state.changelogs().stream().mapToLong(Changelog::diskBytes).sum() / series));
    }
  }
}
