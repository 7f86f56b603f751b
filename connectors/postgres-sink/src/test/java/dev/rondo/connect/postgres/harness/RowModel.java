package dev.rondo.connect.postgres.harness;

import dev.rondo.connect.postgres.changes.ChangeReader;
import dev.rondo.connect.postgres.changes.RowChange;
import dev.rondo.rows.Row;
import dev.rondo.schemas.BundleRow;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** What {@code ts} must hold, row by row, after rows have been written one by one. */
public final class RowModel {
  /** Query for the table in the form of {@link #table}. */
  public static final String TABLE =
      "select b.policy, b.cf, b.step_ms, ts.seg, ts.i, (extract(epoch from ts.t) * 1000)::bigint, "
          + TestDatabase.VALUES
          + " from ts join rra_bundle b on b.id = ts.rra_bundle_id where "
          + TestDatabase.HAS_SLOT
          + " order by 1, 2, 3, 4, 5";

  private record Slot(long endMs, TreeMap<Integer, Double> values) {}

  private final TreeMap<Row.Key, Slot> slots = new TreeMap<>();

  /** Writes the row of a message. */
  public void add(BundleRow message) {
    write(((RowChange) ChangeReader.read(Records.row(message))).row());
  }

  public synchronized void write(Row row) {
    Slot stored = slots.get(row.key());
    if (stored == null || stored.endMs < row.endMs()) {
      stored = new Slot(row.endMs(), new TreeMap<>());
      slots.put(row.key(), stored);
    }
    if (stored.endMs == row.endMs()) {
      for (int p = 0; p < row.dp().length; p++) {
        if (!Double.isNaN(row.dp()[p])) {
          stored.values.put(p, row.dp()[p]);
        }
      }
    }
  }

  public synchronized List<String> table() {
    var lines = new ArrayList<String>();
    slots.forEach(
        (key, slot) ->
            lines.add(
                "%s|%s|%d|%d|%d|%d|%s"
                    .formatted(
                        key.bundle().policy(),
                        key.bundle().cf(),
                        key.bundle().stepMs(),
                        key.seg(),
                        key.i(),
                        slot.endMs,
                        text(slot.values))));
    return lines;
  }

  /** As PostgreSQL writes an array. */
  private static String text(SortedMap<Integer, Double> values) {
    var words = new String[values.isEmpty() ? 0 : values.lastKey() + 1];
    Arrays.fill(words, "NaN");
    values.forEach((p, v) -> words[p] = text(v));
    return "{" + String.join(",", words) + "}";
  }

  private static String text(double value) {
    return Double.compare(value, -0.0) == 0
        ? "-0"
        : BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }
}
