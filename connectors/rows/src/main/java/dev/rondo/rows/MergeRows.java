package dev.rondo.rows;

import dev.rondo.rows.WriteRows.Write;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Merges rows into {@code ts}. Rows that change nothing are not written.
 *
 * <pre>
 *   found ── merge ──► update ── changed by another transaction in between ──► upsert
 *   missing ─────────────────────────────────────────────────────────────────────┘
 * </pre>
 */
public final class MergeRows {
  private MergeRows() {}

  /**
   * Writes rows, and holds their locks until the transaction ends.
   *
   * @param rows sorted by distinct keys, so that all lock in one order
   * @param found what {@link FindRows} has found of them
   * @param ids by bundle
   * @return how many rows have changed
   */
  public static int execute(
      Connection connection,
      WriteMode mode,
      List<Row> rows,
      StoredRow[] found,
      Map<Bundle, Integer> ids,
      Capacities capacities)
      throws SQLException {
    var updates = new ArrayList<Write>();
    var others = new ArrayList<Row>();
    for (int r = 0; r < found.length; r++) {
      Row row = rows.get(r);
      if (found[r] != null) {
        double[] dp = found[r].after(row, capacities.of(row), mode);
        if (dp != null) {
          updates.add(new Write(row, found[r].version(), dp));
        }
      } else if (!row.onlyRemoves()) {
        others.add(row);
      }
    }
    int changed = updates.size() + others.size();
    BitSet written = WriteRows.update(connection, updates, ids);
    for (int u = written.nextClearBit(0); u < updates.size(); u = written.nextClearBit(u + 1)) {
      others.add(updates.get(u).row());
    }
    others.sort(Comparator.comparing(Row::key));
    List<Write> upserts =
        others.stream().map(row -> new Write(row, 0, row.padded(capacities.of(row)))).toList();
    WriteRows.upsert(connection, upserts, ids, mode);
    return changed;
  }
}
