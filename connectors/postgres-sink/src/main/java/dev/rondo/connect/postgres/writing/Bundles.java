package dev.rondo.connect.postgres.writing;

import dev.rondo.connect.postgres.changes.Bundle;
import dev.rondo.connect.postgres.changes.Row;
import dev.rondo.connect.postgres.sql.ExtendBundles;
import dev.rondo.connect.postgres.sql.FindOrCreateBundle;
import dev.rondo.connect.postgres.sql.ReshapeBundle;
import dev.rondo.connect.postgres.sql.StoredBundle;
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
  boolean areKnown(Collection<Row> rows) {
    Map<Bundle, Integer> widths = widths(rows);
    return newest(rows).values().stream()
        .allMatch(
            row -> {
              StoredBundle known = stored.get(row.key().bundle());
              return known != null
                  && known.reshaped(widths.get(row.key().bundle()), row).equals(known);
            });
  }

  /**
   * Returns the ids of the bundles of {@code rows}. Each bundle is looked up or created once, gets
   * xff, mode and aggregate of its newest row, and grows to the width of its widest. Changes are
   * committed at once: all tasks share these rows and would wait until this one has written
   * everything else.
   */
  Map<Bundle, Integer> ids(Connection connection, Collection<Row> rows) throws SQLException {
    var ids = new HashMap<Bundle, Integer>();
    Map<Bundle, StoredBundle> before = Map.copyOf(stored);
    Map<Bundle, Integer> widths = widths(rows);
    for (Row row : newest(rows).values()) {
      Bundle bundle = row.key().bundle();
      StoredBundle known = stored.get(bundle);
      if (known == null) {
        known = FindOrCreateBundle.execute(connection, row);
      }
      StoredBundle reshaped = known.reshaped(widths.get(bundle), row);
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

  private static Map<Bundle, Integer> widths(Collection<Row> rows) {
    var widest = new HashMap<Bundle, Integer>();
    for (Row row : rows) {
      widest.merge(row.key().bundle(), row.width(), Math::max);
    }
    return widest;
  }

  /** Newest row of each bundle, in the order in which tasks lock. */
  private static SortedMap<Bundle, Row> newest(Collection<Row> rows) {
    var newest = new TreeMap<Bundle, Row>();
    for (Row row : rows) {
      newest.merge(row.key().bundle(), row, (a, b) -> b.endMs() > a.endMs() ? b : a);
    }
    return newest;
  }
}
