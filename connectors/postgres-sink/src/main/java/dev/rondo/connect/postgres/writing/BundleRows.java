package dev.rondo.connect.postgres.writing;

import dev.rondo.connect.postgres.changes.Bundle;
import dev.rondo.connect.postgres.changes.Row;
import dev.rondo.connect.postgres.pages.Capacities;
import dev.rondo.connect.postgres.sql.Chunk;
import dev.rondo.connect.postgres.sql.FindRows;
import dev.rondo.connect.postgres.sql.GrowChunks;
import dev.rondo.connect.postgres.sql.PreallocateChunks;
import dev.rondo.connect.postgres.sql.StoredRow;
import dev.rondo.connect.postgres.sql.UpdateRows;
import dev.rondo.connect.postgres.sql.UpsertBundleRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Writes the rows of a put to {@code ts}. A row replaces a preallocated one, or one of an earlier
 * round of the archive, of the same size, so it stays in its page. Rows that change nothing are not
 * written.
 *
 * <pre>
 *   find ── missing ──► preallocate chunk ──┐
 *     │ ─── too short ─► grow its chunk ────┤
 *     ▼                                     ▼
 *   merge ◄──────────────────────────── find again
 *     │
 *     ▼
 *   update ── changed by another transaction in between, or still missing ──► upsert
 * </pre>
 */
final class BundleRows {
  private final int preallocateSlots;
  private final Capacities capacities = new Capacities();

  /**
   * @param preallocateSlots rows per chunk; 0: none is preallocated
   */
  BundleRows(int preallocateSlots) {
    this.preallocateSlots = preallocateSlots;
  }

  /** Writes {@code rows}, sorted by distinct keys; {@code ids} by bundle. */
  void write(Connection connection, List<Row> rows, Map<Bundle, Integer> ids) throws SQLException {
    write(connection, rows, ids, false);
  }

  /** The same for rows of a {@code Refill}, which only fill in unknown values. */
  void fill(Connection connection, List<Row> rows, Map<Bundle, Integer> ids) throws SQLException {
    write(connection, rows, ids, true);
  }

  private void write(Connection connection, List<Row> rows, Map<Bundle, Integer> ids, boolean fills)
      throws SQLException {
    StoredRow[] found = FindRows.execute(connection, rows, ids);
    for (int r = 0; r < found.length; r++) {
      capacities.observe(rows.get(r), found[r] == null ? 0 : found[r].capacity());
    }
    if (preallocateSlots > 0) {
      makeRoom(connection, rows, found, ids);
    }
    var updates = new ArrayList<UpdateRows.Update>();
    var others = new ArrayList<Row>();
    for (int r = 0; r < found.length; r++) {
      Row row = rows.get(r);
      if (found[r] == null) {
        others.add(row);
        continue;
      }
      int capacity = capacities.of(row);
      double[] dp = fills ? found[r].filled(row, capacity) : found[r].after(row, capacity);
      if (dp != null) {
        int bundle = ids.get(row.key().bundle());
        updates.add(new UpdateRows.Update(bundle, row, found[r].version(), dp));
      }
    }
    BitSet written = UpdateRows.execute(connection, updates);
    for (int u = written.nextClearBit(0); u < updates.size(); u = written.nextClearBit(u + 1)) {
      others.add(updates.get(u).row());
    }
    if (!others.isEmpty()) {
      others.sort(Comparator.comparing(Row::key));
      UpsertBundleRow.execute(connection, others, ids, capacities, fills);
    }
  }

  /** Preallocates missing rows and grows rows that are too short, each with its chunk. */
  private void makeRoom(
      Connection connection, List<Row> rows, StoredRow[] found, Map<Bundle, Integer> ids)
      throws SQLException {
    var missing = new ArrayList<Row>();
    var tooShort = new ArrayList<Row>();
    var touched = new ArrayList<Integer>();
    for (int r = 0; r < found.length; r++) {
      if (found[r] == null) {
        missing.add(rows.get(r));
        touched.add(r);
      } else if (found[r].isTooShortFor(rows.get(r))) {
        tooShort.add(rows.get(r));
        touched.add(r);
      }
    }
    if (!missing.isEmpty()) {
      PreallocateChunks.execute(connection, Chunk.of(missing, ids, preallocateSlots, capacities));
    }
    if (!tooShort.isEmpty()) {
      GrowChunks.execute(connection, Chunk.of(tooShort, ids, preallocateSlots, capacities));
    }
    if (!touched.isEmpty()) {
      List<Row> again = touched.stream().map(rows::get).toList();
      StoredRow[] made = FindRows.execute(connection, again, ids);
      for (int k = 0; k < made.length; k++) {
        found[touched.get(k)] = made[k];
      }
    }
  }
}
