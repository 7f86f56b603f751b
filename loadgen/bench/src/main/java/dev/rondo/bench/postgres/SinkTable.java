package dev.rondo.bench.postgres;

import java.util.List;

/** Prints costs by width. */
final class SinkTable {
  private static final String ROW = "%5s  %-22s %8s %7s %8s %7s %7s %7s %7s %7s %6s%n";

  private SinkTable() {}

  static void print(List<SinkCommand.Result> results) {
    System.out.printf(
        ROW, "", "", "", "", "values", "client", "server", "WAL", "table", "index", "");
    System.out.printf(
        ROW, "width", "written", "rows/s", "µs/row", "k/s", "CPU s", "CPU s", "B", "B", "B",
        "HOT %");
    System.out.printf(
        ROW, "", "", "", "", "", "/M val", "/M val", "/value", "/value", "/value", "");
    SinkCommand.Result before = null;
    for (SinkCommand.Result result : results) {
      if (before != null && before.width() != result.width()) {
        System.out.println();
      }
      before = result;
      print(result);
    }
  }

  private static void print(SinkCommand.Result result) {
    Cost cost = result.cost();
    double millions = cost.values() / 1e6;
    double held = (double) result.rows() * result.width();
    System.out.printf(
        ROW,
        result.width(),
        result.phase().title(),
        number("%,.0f", cost.rows() / cost.seconds()),
        number("%.1f", cost.seconds() / cost.rows() * 1e6),
        number("%,.0f", cost.values() / cost.seconds() / 1e3),
        number("%.2f", cost.clientCpuSeconds() / millions),
        number("%.2f", cost.serverCpuSeconds() / millions),
        number("%.1f", cost.walBytes() / (double) cost.values()),
        number("%.2f", result.size().table() / held),
        number("%.2f", result.size().index() / held),
        number("%.0f", 100 * cost.hotShare()));
  }

  /** A dash for a missing value. */
  static String number(String format, double value) {
    return Double.isFinite(value) ? format.formatted(value) : "–";
  }
}
