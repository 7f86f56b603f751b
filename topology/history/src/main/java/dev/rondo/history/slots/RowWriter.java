package dev.rondo.history.slots;

import dev.rondo.rows.WriteMode;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes rows of {@code ts}, in the order of their keys, and holds their locks until the
 * transaction ends. A row of a former round of the archive and a preallocated one, at -infinity,
 * are replaced, a newer one stays, and one of the same slot is merged. A stored row never becomes
 * shorter.
 *
 * <pre>
 *   lock and read ── changes ──► update
 *       └────────── missing ──► insert, or merge where a sink was faster
 * </pre>
 */
public final class RowWriter {
  /** Maximum of values per statement, unless one row has more: 1 MiB on the wire. */
  private static final int VALUES = 1 << 17;

  private static final int MIN_LENGTH = 8;

  /** Arrays are in sub-selects, so that the planner always looks up each row by its key. */
  private static final String KEYS =
      "unnest((select ?::int[]), (select ?::int[]), (select ?::int[]), (select ?::bigint[])";

  private static final String TIME = "timestamptz 'epoch' + k.ms * interval '1 ms'";

  private static final String LOCK =
      "select k.n, cardinality(ts.dp), sign(extract(epoch from ts.t) * 1000 - k.ms)::integer,"
          + " case when ts.t = "
          + TIME
          + " then ts.dp end from "
          + KEYS
          + """
          ) with ordinality as k (bundle, seg, i, ms, n)
          join ts on ts.rra_bundle_id = k.bundle and ts.seg = k.seg and ts.i = k.i
          order by k.n
          for no key update of ts
          """;

  private static final String SLICES =
      KEYS + ", (select ?::int[]), (select ?::int[])) as k (bundle, seg, i, ms, first, last)";

  private static final String UPDATE =
      "update ts set t = "
          + TIME
          + ", dp = (?::double precision[])[k.first : k.last] from "
          + SLICES
          + " where ts.rra_bundle_id = k.bundle and ts.seg = k.seg and ts.i = k.i";

  private static final String LENGTHS =
      """
      select (select cardinality(dp) from ts where rra_bundle_id = k.bundle and ts.seg = k.seg limit 1)
      from unnest(?::int[], ?::int[]) with ordinality as k (bundle, seg, n)
      order by n
      """;

  private RowWriter() {}

  private static String insert(WriteMode mode) {
    String merged =
        mode == WriteMode.FILL
            ? "rondo_merge(excluded.dp, ts.dp)"
            : "rondo_merge(ts.dp, excluded.dp)";
    return "insert into ts (rra_bundle_id, seg, i, t, dp) select k.bundle, k.seg, k.i, "
        + TIME
        + ", (?::double precision[])[k.first : k.last] from "
        + SLICES
        + """
        on conflict (rra_bundle_id, seg, i) do update
          set t = excluded.t,
              dp = case when excluded.t = ts.t then %s
                        else excluded.dp || array_fill(
                          double precision 'NaN',
                          array[greatest(cardinality(ts.dp) - cardinality(excluded.dp), 0)]) end
          where excluded.t >= ts.t
        """
            .formatted(merged);
  }

  /**
   * Writes rows in any order; of one key the newest slot.
   *
   * @param width positions of a segment
   * @return how many rows have changed
   */
  public static int write(Connection connection, WriteMode mode, Collection<Row> rows, int width)
      throws SQLException {
    var byKey = new TreeMap<Row, Row>(Row.BY_KEY);
    rows.forEach(row -> byKey.merge(row, row, Row::and));
    List<Row> sorted = List.copyOf(byKey.values());
    int changed = 0;
    for (List<Row> some : cut(sorted, width)) {
      changed += writeSome(connection, mode, some, width);
    }
    return changed;
  }

  private static List<List<Row>> cut(List<Row> rows, int width) {
    int most = Math.max(1, VALUES / width);
    var parts = new ArrayList<List<Row>>();
    for (int from = 0; from < rows.size(); from += most) {
      parts.add(rows.subList(from, Math.min(rows.size(), from + most)));
    }
    return parts;
  }

  private static int writeSome(Connection connection, WriteMode mode, List<Row> rows, int width)
      throws SQLException {
    var isStored = new boolean[rows.size()];
    var updated = new ArrayList<Row>();
    try (PreparedStatement statement = connection.prepareStatement(LOCK)) {
      setKeys(statement, 1, rows);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          int n = result.getInt(1) - 1;
          isStored[n] = true;
          Row row = rows.get(n);
          int older = result.getInt(3);
          double[] dp =
              older > 0
                  ? null
                  : older == 0
                      ? changed(row, values(result.getArray(4)), mode)
                      : row.isKnown() ? Row.padded(row.dp(), result.getInt(2)) : null;
          if (dp != null) {
            boolean grows = dp.length > result.getInt(2);
            updated.add(row.with(grows ? Row.padded(dp, length(dp.length, width)) : dp));
          }
        }
      }
    }
    execute(connection, UPDATE, updated);
    var missing = new ArrayList<Row>();
    for (int n = 0; n < isStored.length; n++) {
      if (!isStored[n] && rows.get(n).isKnown()) {
        missing.add(rows.get(n));
      }
    }
    if (!missing.isEmpty()) {
      execute(connection, insert(mode), lengthened(connection, missing, width));
    }
    return updated.size() + missing.size();
  }

  /** Values of the row after a stored one; null if they are the same. */
  private static double[] changed(Row row, double[] stored, WriteMode mode) {
    double[] merged = row.after(stored, mode);
    return Arrays.equals(merged, Row.padded(stored, merged.length)) ? null : merged;
  }

  private record Segment(int bundle, int seg) {
    static Segment of(Row row) {
      return new Segment(row.bundle(), row.seg());
    }
  }

  /** Rows as long as those that their segment already has, or 8, 16, 32 … values. */
  private static List<Row> lengthened(Connection connection, List<Row> rows, int width)
      throws SQLException {
    Map<Segment, Integer> lengths = lengths(connection, rows);
    rows.forEach(row -> lengths.merge(Segment.of(row), length(row.dp().length, width), Math::max));
    return rows.stream()
        .map(row -> row.with(Row.padded(row.dp(), lengths.get(Segment.of(row)))))
        .toList();
  }

  /** Length of the rows that the segments already have, which all rows of one share; 0: none. */
  private static Map<Segment, Integer> lengths(Connection connection, List<Row> rows)
      throws SQLException {
    List<Segment> segments = rows.stream().map(Segment::of).distinct().toList();
    var lengths = new HashMap<Segment, Integer>();
    try (PreparedStatement statement = connection.prepareStatement(LENGTHS)) {
      statement.setObject(1, segments.stream().mapToInt(Segment::bundle).toArray());
      statement.setObject(2, segments.stream().mapToInt(Segment::seg).toArray());
      try (ResultSet result = statement.executeQuery()) {
        for (Segment segment : segments) {
          result.next();
          lengths.put(segment, result.getInt(1));
        }
      }
    }
    return lengths;
  }

  private static int length(int used, int width) {
    int length = MIN_LENGTH;
    while (length < used) {
      length *= 2;
    }
    return Math.max(used, Math.min(length, width));
  }

  /** Executes a statement on slices of all values, which are sent as one array. */
  private static void execute(Connection connection, String sql, List<Row> rows)
      throws SQLException {
    if (rows.isEmpty()) {
      return;
    }
    double[] dp = new double[rows.stream().mapToInt(row -> row.dp().length).sum()];
    int[] first = new int[rows.size()];
    int[] last = new int[rows.size()];
    int end = 0;
    for (int n = 0; n < first.length; n++) {
      double[] row = rows.get(n).dp();
      System.arraycopy(row, 0, dp, end, row.length);
      first[n] = end + 1;
      end += row.length;
      last[n] = end;
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, dp);
      setKeys(statement, 2, rows);
      statement.setObject(6, first);
      statement.setObject(7, last);
      statement.executeUpdate();
    }
  }

  private static void setKeys(PreparedStatement statement, int parameter, List<Row> rows)
      throws SQLException {
    statement.setObject(parameter, rows.stream().mapToInt(Row::bundle).toArray());
    statement.setObject(parameter + 1, rows.stream().mapToInt(Row::seg).toArray());
    statement.setObject(parameter + 2, rows.stream().mapToInt(Row::i).toArray());
    statement.setObject(parameter + 3, rows.stream().mapToLong(Row::endMs).toArray());
  }

  /** Values of an array, NaN for null. */
  public static double[] values(Array array) throws SQLException {
    var elements = (Double[]) array.getArray();
    var values = new double[elements.length];
    for (int p = 0; p < values.length; p++) {
      values[p] = elements[p] == null ? Double.NaN : elements[p];
    }
    return values;
  }
}
