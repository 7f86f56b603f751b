package dev.rondo.bench.postgres;

import dev.rondo.bench.postgres.StorageCommand.Full;
import dev.rondo.bench.postgres.StorageCommand.Known;
import dev.rondo.bench.postgres.server.Size;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Prints bytes per value. */
final class StorageTable {
  private static final String ROW = "%5s  %-12s %10s %10s %8s %8s %8s%n";

  private StorageTable() {}

  static void print(StorageCommand.Result result) {
    Known series = result.series();
    System.out.printf(
        "%d segments, each archive alone, written %d rounds by the sink; B per value%n%n",
        result.segments(), result.rounds());
    System.out.printf(ROW, "width", "archive", "values", "MB", "table", "index", "both");
    result.archives().stream()
        .collect(Collectors.groupingBy(Full::width, TreeMap::new, Collectors.toList()))
        .forEach(StorageTable::print);
    double table = (double) series.size().table() / series.series();
    double index = (double) series.size().index() / series.series();
    System.out.printf(
        "%nseries: %.0f B each in ds, %.0f B in its indexes; per value, of %,d values per series: %.2f B%n",
        table, index, series.values(), (table + index) / series.values());
    System.out.println("Tgres: 10; Whisper: 12; the value alone: 8");
  }

  private static void print(int width, List<Full> archives) {
    archives.forEach(
        a ->
            line(width, "%d s x %d".formatted(a.stepMs() / 1000, a.slots()), a.values(), a.size()));
    long values = archives.stream().mapToLong(Full::values).sum();
    long table = archives.stream().mapToLong(a -> a.size().table()).sum();
    long index = archives.stream().mapToLong(a -> a.size().index()).sum();
    line(width, "all", values, new Size(table, index));
  }

  private static void line(int width, String archive, long values, Size size) {
    double each = values;
    System.out.printf(
        ROW,
        width,
        archive,
        "%,d".formatted(values),
        "%.1f".formatted((size.table() + size.index()) / 1e6),
        "%.2f".formatted(size.table() / each),
        "%.2f".formatted(size.index() / each),
        "%.2f".formatted((size.table() + size.index()) / each));
  }
}
