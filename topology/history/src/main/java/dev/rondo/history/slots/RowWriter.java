package dev.rondo.history.slots;

import dev.rondo.rows.Bundle;
import dev.rondo.rows.Capacities;
import dev.rondo.rows.FindRows;
import dev.rondo.rows.MergeRows;
import dev.rondo.rows.Row;
import dev.rondo.rows.StoredRow;
import dev.rondo.rows.WriteMode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes rows of {@code ts} as the sink does, but locks what is stored before it reads it, and asks
 * how long the other rows of a segment are: it has not written them.
 */
public final class RowWriter {
  /** Maximum of values that are read at once, unless one row has more. */
  private static final int VALUES = 1 << 17;

  private static final String LENGTHS =
      """
      select (select cardinality(dp) from ts where rra_bundle_id = k.bundle and ts.seg = k.seg limit 1)
      from unnest(?::int[], ?::int[]) with ordinality as k (bundle, seg, n)
      order by n
      """;

  private RowWriter() {}

  /**
   * Writes rows in any order; of one key the newest slot.
   *
   * @param ids by bundle
   * @return how many rows have changed
   */
  public static int write(
      Connection connection, WriteMode mode, Collection<Row> rows, Map<Bundle, Integer> ids)
      throws SQLException {
    var byKey = new TreeMap<Row.Key, Row>();
    for (Row row : rows) {
      if (row.used() > 0 || !row.unknown().isEmpty()) {
        byKey.merge(row.key(), row, (before, later) -> before.then(later, mode));
      }
    }
    List<Row> sorted = List.copyOf(byKey.values());
    int width = sorted.stream().mapToInt(Row::width).max().orElse(1);
    int most = Math.max(1, VALUES / width);
    int changed = 0;
    for (int from = 0; from < sorted.size(); from += most) {
      List<Row> some = sorted.subList(from, Math.min(sorted.size(), from + most));
      changed += writeSome(connection, mode, some, ids);
    }
    return changed;
  }

  private static int writeSome(
      Connection connection, WriteMode mode, List<Row> rows, Map<Bundle, Integer> ids)
      throws SQLException {
    StoredRow[] found = FindRows.lock(connection, rows, ids);
    var capacities = new Capacities();
    capacities.observe(rows, found);
    observeSegments(connection, rows, found, ids, capacities);
    return MergeRows.execute(connection, mode, rows, found, ids, capacities);
  }

  private record Segment(Bundle bundle, int seg) {}

  /** Rows that are missing become as long as those that their segment already has. */
  private static void observeSegments(
      Connection connection,
      List<Row> rows,
      StoredRow[] found,
      Map<Bundle, Integer> ids,
      Capacities capacities)
      throws SQLException {
    var missing = new LinkedHashMap<Segment, Row>();
    for (int r = 0; r < found.length; r++) {
      if (found[r] == null) {
        Row.Key key = rows.get(r).key();
        missing.put(new Segment(key.bundle(), key.seg()), rows.get(r));
      }
    }
    if (missing.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(LENGTHS)) {
      statement.setObject(
          1, missing.keySet().stream().mapToInt(segment -> ids.get(segment.bundle)).toArray());
      statement.setObject(2, missing.keySet().stream().mapToInt(Segment::seg).toArray());
      try (ResultSet result = statement.executeQuery()) {
        for (Row row : missing.values()) {
          result.next();
          capacities.observe(row, result.getInt(1));
        }
      }
    }
  }
}
