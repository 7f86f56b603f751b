package dev.rondo.connect.postgres.writing;

import dev.rondo.connect.postgres.sql.Chunk;
import dev.rondo.connect.postgres.sql.GrowChunks;
import dev.rondo.connect.postgres.sql.PreallocateChunks;
import dev.rondo.rows.Bundle;
import dev.rondo.rows.Capacities;
import dev.rondo.rows.FindRows;
import dev.rondo.rows.MergeRows;
import dev.rondo.rows.Row;
import dev.rondo.rows.StoredRow;
import dev.rondo.rows.WriteMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Writes the rows of a put to {@code ts}. A row replaces a preallocated one, or one of an earlier
 * round of the archive, of the same size, so it stays in its page.
 *
 * <pre>
 *   find ── missing ──► preallocate chunk ──┐
 *     │ ─── too short ─► grow its chunk ────┤
 *     ▼                                     ▼
 *   merge ◄──────────────────────────── find again
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
  void write(Connection connection, WriteMode mode, List<Row> rows, Map<Bundle, Integer> ids)
      throws SQLException {
    StoredRow[] found = FindRows.execute(connection, rows, ids);
    capacities.observe(rows, found);
    if (preallocateSlots > 0) {
      makeRoom(connection, rows, found, ids);
    }
    MergeRows.execute(connection, mode, rows, found, ids, capacities);
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
