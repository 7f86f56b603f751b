package dev.rondo.rows;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/**
 * Updates rows found before, or inserts them. All values are sent as one array, which PostgreSQL
 * slices for each row.
 */
final class WriteRows {
  /**
   * Values to store.
   *
   * @param version that the row must still have; any for an upsert
   * @param dp by position
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Write(Row row, int version, double[] dp) {}

  private static final String SLICES =
      KeyColumns.UNNEST
          + """
            , (select ?::int[]), (select ?::int[]), (select ?::int[]))
              with ordinality as k (bundle, seg, i, ms, version, first, last, n)
            """;

  private static final String UPDATE =
      """
      update ts set t = %s, dp = (?::double precision[])[k.first : k.last]
      from %s
      where ts.rra_bundle_id = k.bundle and ts.seg = k.seg and ts.i = k.i and ts.xmin = k.version
      returning k.n
      """
          .formatted(KeyColumns.TIME, SLICES);

  /** Maximum of values per statement, unless one row has more: 3 MiB on the wire. */
  private static final int VALUES = 1 << 18;

  private WriteRows() {}

  /**
   * Updates slot and values of rows, unless another transaction has changed them since.
   *
   * @param writes sorted by key; {@code ids} by bundle
   * @return indexes of those that were written
   */
  static BitSet update(Connection connection, List<Write> writes, Map<Bundle, Integer> ids)
      throws SQLException {
    return execute(connection, UPDATE, writes, ids);
  }

  /**
   * Inserts rows, or merges them into what is stored by now: a newer slot replaces, the same slot
   * is merged, an older one is ignored. It is idempotent. A stored row never becomes shorter.
   *
   * @param writes sorted by key, so that all lock in one order; {@code ids} by bundle
   */
  static void upsert(
      Connection connection, List<Write> writes, Map<Bundle, Integer> ids, WriteMode mode)
      throws SQLException {
    execute(connection, upsert(mode), writes, ids);
  }

  private static String upsert(WriteMode mode) {
    return """
        insert into ts (rra_bundle_id, seg, i, t, dp)
        select k.bundle, k.seg, k.i, %s, (?::double precision[])[k.first : k.last]
        from %s
        on conflict (rra_bundle_id, seg, i) do update
          set t = excluded.t,
              dp = case when excluded.t = ts.t then %s
                        else excluded.dp || array_fill(
                          double precision 'NaN',
                          array[greatest(cardinality(ts.dp) - cardinality(excluded.dp), 0)]) end
          where excluded.t >= ts.t
        """
        .formatted(KeyColumns.TIME, SLICES, mode.sql);
  }

  private static BitSet execute(
      Connection connection, String sql, List<Write> writes, Map<Bundle, Integer> ids)
      throws SQLException {
    var written = new BitSet(writes.size());
    int from = 0;
    while (from < writes.size()) {
      int to = from;
      int values = 0;
      do {
        values += writes.get(to++).dp().length;
      } while (to < writes.size() && values + writes.get(to).dp().length <= VALUES);
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        bind(statement, writes.subList(from, to), ids, values);
        if (statement.execute()) {
          try (ResultSet result = statement.getResultSet()) {
            while (result.next()) {
              written.set(from + result.getInt(1) - 1);
            }
          }
        }
      }
      from = to;
    }
    return written;
  }

  private static void bind(
      PreparedStatement statement, List<Write> writes, Map<Bundle, Integer> ids, int values)
      throws SQLException {
    double[] dp = new double[values];
    int[] first = new int[writes.size()];
    int[] last = new int[writes.size()];
    int end = 0;
    for (int w = 0; w < first.length; w++) {
      double[] row = writes.get(w).dp();
      System.arraycopy(row, 0, dp, end, row.length);
      first[w] = end + 1;
      end += row.length;
      last[w] = end;
    }
    statement.setObject(1, dp);
    KeyColumns.bind(statement, 2, writes.stream().map(Write::row).toList(), ids);
    statement.setObject(6, writes.stream().mapToInt(Write::version).toArray());
    statement.setObject(7, first);
    statement.setObject(8, last);
  }
}
