package dev.rondo.bench.peers;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Prints the figures of the stores side by side. */
final class PeersTable {
  private static final List<String> NOTES =
      List.of(
          "Readable: Rondo from the end of a slot, which the next point closes; VictoriaMetrics from"
              + " sending a point.",
          "Written: Rondo to the broker's disk and as WAL. Values are random, the worst case for"
              + " compression.",
          "A stored value: Rondo in archives of fixed size; VictoriaMetrics a raw point.");

  private PeersTable() {}

  static List<String> lines(List<Figures> stores) {
    var lines = new ArrayList<String>();
    lines.add(row("", stores, Figures::store));
    lines.add(row("points/s", stores, f -> "%,.0f".formatted(f.pointsPerSecond())));
    lines.add(row("sustained", stores, f -> f.isSustained() ? "yes" : "no"));
    lines.add(row("CPU s per million points", stores, f -> "%.2f".formatted(f.cpu())));
    lines.add(row("… of the generator", stores, f -> "%.2f".formatted(f.generatorCpuSeconds())));
    lines.add(row("memory, MB", stores, f -> "%,d".formatted(f.residentMb())));
    lines.add(row("written, B per point", stores, f -> "%.1f".formatted(f.writtenBytes())));
    lines.add(row("on disk, B per value", stores, f -> "%.2f".formatted(f.valueBytes())));
    lines.add(row("on disk, B per series", stores, f -> "%.0f".formatted(f.seriesBytes())));
    lines.add(row("readable after, p50 ms", stores, f -> "%,.0f".formatted(f.readableP50Ms())));
    lines.add(row("readable after, p99 ms", stores, f -> "%,.0f".formatted(f.readableP99Ms())));
    for (String question : stores.get(0).questionMs().keySet()) {
      lines.add(
          row(
              question + ", p50 ms",
              stores,
              f -> "%.1f".formatted(f.questionMs().getOrDefault(question, Double.NaN))));
    }
    lines.add("");
    for (Figures store : stores) {
      if (store.cpuSeconds().size() > 1) {
        lines.add("CPU s per million points of " + store.store() + ":");
        store.cpuSeconds().forEach((part, cpu) -> lines.add("  %-29s %16.2f".formatted(part, cpu)));
      }
      if (store.verified() != null) {
        lines.add("./rondo verify: " + store.verified());
      }
    }
    lines.addAll(NOTES);
    return lines;
  }

  private static String row(String what, List<Figures> stores, Function<Figures, String> figure) {
    var row = new StringBuilder("%-31s".formatted(what));
    stores.forEach(store -> row.append("%17s".formatted(figure.apply(store))));
    return row.toString().stripTrailing();
  }
}
