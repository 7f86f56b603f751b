package dev.rondo.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;

/**
 * Memory of a topology's state.
 *
 * @param series number of series
 * @param emptyHeapBytes heap in use after a full collection, before the first series
 * @param heapBytes the same with all series
 * @param residentBytes resident memory of the process
 * @param changelogs topics that a restart reads
 */
record State(
    int series,
    long emptyHeapBytes,
    long heapBytes,
    long residentBytes,
    List<Changelog> changelogs) {
  private static final List<String> TOPICS =
      List.of(
          "rondo-locations-changelog", "rondo-segments-changelog", "rondo-merge-buffer-changelog");

  static State of(Stage stage, int series, long emptyHeapBytes)
      throws IOException, ExecutionException, InterruptedException {
    List<Changelog> changelogs = new ArrayList<>();
    for (String topic : TOPICS) {
      changelogs.add(Changelog.read(stage, topic));
    }
    TopologyProbe probe = stage.probe();
    return new State(
        series, emptyHeapBytes, probe.heapAfterCollection(), probe.residentBytes(), changelogs);
  }

  void print() {
    System.out.printf(
        "heap after a full collection: %,d MB, %,d B per series; resident: %,d MB%n%n",
        heapBytes >> 20, (heapBytes - emptyHeapBytes) / series, residentBytes >> 20);
    String row = "%-26s %11s %9s %11s %9s %11s %9s%n";
    System.out.printf(
        row, "changelog", "on disk MB", "records", "bytes MB", "live", "live MB", "B/series");
    for (Changelog log : changelogs) {
      System.out.printf(
          row,
          log.topic(),
          "%,d".formatted(log.diskBytes() >> 20),
          "%,d".formatted(log.records()),
          "%,d".formatted(log.bytes() >> 20),
          "%,d".formatted(log.liveRecords()),
          "%,d".formatted(log.liveBytes() >> 20),
          "%,d".formatted(log.liveBytes() / series));
    }
  }
}
