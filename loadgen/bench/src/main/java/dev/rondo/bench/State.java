package dev.rondo.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;

/**
 * Memory of a topology's state.
 *
 * @param series number of series
 * @param heapBytes heap in use after a full collection
 * @param residentBytes resident memory of the process
 * @param changelogs topics that a restart reads
 */
record State(int series, long heapBytes, long residentBytes, List<Changelog> changelogs) {
  private static final List<String> TOPICS =
      List.of(
          "rondo-locations-changelog", "rondo-segments-changelog", "rondo-merge-buffer-changelog");

  static State of(Stage stage, int series)
      throws IOException, ExecutionException, InterruptedException {
    List<Changelog> changelogs = new ArrayList<>();
    for (String topic : TOPICS) {
      changelogs.add(Changelog.read(stage, topic));
    }
    TopologyProbe probe = stage.probe();
    return new State(series, probe.heapAfterCollection(), probe.residentBytes(), changelogs);
  }

  void print() {
    System.out.printf(
        "heap after a full collection: %,d B, %,d B per series; resident: %,d MB%n%n",
        heapBytes, heapBytes / series, residentBytes >> 20);
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
