package dev.rondo.connect.postgres.writing;

import dev.rondo.connect.postgres.changes.RowChange;
import dev.rondo.rows.Bundle;
import dev.rondo.rows.ExtendBundles;
import dev.rondo.rows.FindOrCreateBundle;
import dev.rondo.rows.ReshapeBundle;
import dev.rondo.rows.Row;
import dev.rondo.rows.StoredBundle;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Caches rows of {@code rra_bundle}, as of the task's last committed transaction. */
final class Bundles {
  private final Map<Bundle, StoredBundle> stored = new HashMap<>();

  /** Whether {@link #ids} needs no statement for {@code rows}. */
  boolean areKnown(Collection<RowChange> rows) {
    Map<Bundle, Integer> widths = widths(rows);
    return newest(rows).values().stream()
        .allMatch(
            newest -> {
              Bundle bundle = newest.row().key().bundle();
              StoredBundle known = stored.get(bundle);
              return known != null
                  && known.reshaped(widths.get(bundle), newest.properties()).equals(known);
            });
  }

  /**
   * Returns the ids of the bundles of {@code rows}. Each bundle is looked up or created once, gets
   * xff, mode and aggregate of its newest row, and grows to the width of its widest. Changes are
   * committed at once: all tasks share these rows and would wait until this one has written
   * everything else.
   */
  Map<Bundle, Integer> ids(Connection connection, Collection<RowChange> rows) throws SQLException {
    var ids = new HashMap<Bundle, Integer>();
    Map<Bundle, StoredBundle> before = Map.copyOf(stored);
    Map<Bundle, Integer> widths = widths(rows);
    for (RowChange newest : newest(rows).values()) {
      Bundle bundle = newest.row().key().bundle();
      StoredBundle known = stored.get(bundle);
      if (known == null) {
        known = FindOrCreateBundle.execute(connection, newest.row(), newest.properties());
      }
      StoredBundle reshaped = known.reshaped(widths.get(bundle), newest.properties());
      if (!reshaped.equals(known)) {
        ReshapeBundle.execute(connection, reshaped);
      }
      stored.put(bundle, reshaped);
      ids.put(bundle, known.id());
    }
    if (!stored.equals(before)) {
      connection.commit();
    }
    return ids;
  }

  /** Extends the time of the bundles for which {@code rows} have an older or a newer slot. */
  void extend(Connection connection, Collection<Row> rows) throws SQLException {
    var extended = new TreeMap<Bundle, StoredBundle>(); // in the order in which tasks lock
    for (Row row : rows) {
      Bundle bundle = row.key().bundle();
      StoredBundle known = stored.get(bundle);
      StoredBundle with = known.with(row);
      if (!with.equals(known)) {
        stored.put(bundle, with);
        extended.put(bundle, with);
      }
    }
    if (!extended.isEmpty()) {
      ExtendBundles.execute(connection, extended.values());
    }
  }

  /** Clears the cache after a failed transaction, and with the connection. */
  void clear() {
    stored.clear();
  }

  private static Map<Bundle, Integer> widths(Collection<RowChange> rows) {
    var widest = new HashMap<Bundle, Integer>();
    for (RowChange each : rows) {
      widest.merge(each.row().key().bundle(), each.row().width(), Math::max);
    }
    return widest;
  }

  /** Newest row of each bundle, the last of them, in the order in which tasks lock. */
  private static SortedMap<Bundle, RowChange> newest(Collection<RowChange> rows) {
    var newest = new TreeMap<Bundle, RowChange>();
    for (RowChange each : rows) {
      newest.merge(
          each.row().key().bundle(), each, (a, b) -> b.row().endMs() >= a.row().endMs() ? b : a);
    }
    return newest;
  }
}
