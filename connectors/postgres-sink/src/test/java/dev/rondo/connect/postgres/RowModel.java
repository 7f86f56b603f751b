package dev.rondo.connect.postgres;

import dev.rondo.schemas.BundleRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the table holds after rows have come, in any order and any number of times: of each key the
 * newest slot, with every value that was told of it.
 */
final class RowModel {
  private static final String STORED =
      "select policy, seg, i, (extract(epoch from t) * 1000)::bigint, dp from ts "
          + "join rra_bundle on id = rra_bundle_id where t > '-infinity'"; // reserved ones

  private final Map<String, Slot> slots = new TreeMap<>();

  synchronized void add(BundleRow row) {
    String key = "%s|%d|%d".formatted(row.getPolicy(), row.getSeg(), row.getI());
    Slot slot = slots.get(key);
    if (slot == null || slot.endMs() < row.getT()) {
      slot = new Slot(row.getT(), new TreeMap<>());
      slots.put(key, slot);
    }
    if (slot.endMs() == row.getT()) {
      for (int p = 0; p < row.getDp().size(); p++) {
        double value = row.getDp().get(p);
        if (!Double.isNaN(value)) {
          slot.values().put(p, value);
        }
      }
    }
  }

  /** A line for each row, sorted. */
  synchronized List<String> lines() {
    var lines = new ArrayList<String>();
    slots.forEach((key, slot) -> lines.add(key + "|" + slot.endMs() + "|" + slot.values()));
    return lines.stream().sorted().toList();
  }

  /** The same of what is stored. */
  static List<String> stored(TestDatabase database) {
    return database.query(STORED).stream().map(RowModel::line).sorted().toList();
  }

  /** Values by position: how far {@code dp} is filled up with NaN makes no difference. */
  private static String line(String row) {
    int dp = row.lastIndexOf('|') + 1;
    var values = new TreeMap<Integer, Double>();
    String[] elements = row.substring(dp + 1, row.length() - 1).split(",", -1);
    for (int p = 0; p < elements.length; p++) {
      if (!elements[p].isEmpty() && !elements[p].equals("NaN")) {
        values.put(p, Double.valueOf(elements[p]));
      }
    }
    return row.substring(0, dp) + values;
  }

  /** Values by position, from 0. */
  private record Slot(long endMs, Map<Integer, Double> values) {}
}
