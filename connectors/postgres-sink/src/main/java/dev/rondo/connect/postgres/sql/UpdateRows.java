package dev.rondo.connect.postgres.sql;

import dev.rondo.connect.postgres.changes.Row;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.BitSet;
import java.util.List;

/**
 * Updates slot and values of rows found before, unless another transaction has changed them since.
 * All values are sent as one array, which PostgreSQL slices for each row.
 */
public final class UpdateRows {
  /**
   * One row to update.
   *
   * @param bundle id
   * @param version that the row must still have
   * @param dp values to store
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Update(int bundle, Row row, int version, double[] dp) {}

  static final String SQL =
      """
      update ts
      set t = timestamptz 'epoch' + k.ms * interval '1 ms',
          dp = (?::double precision[])[k.first : k.last]
      from unnest((select ?::int[]), (select ?::int[]), (select ?::int[]), (select ?::int[]),
                  (select ?::bigint[]), (select ?::int[]), (select ?::int[]))
             with ordinality as k (bundle, seg, i, version, ms, first, last, n)
      where ts.rra_bundle_id = k.bundle and ts.seg = k.seg and ts.i = k.i and ts.xmin = k.version
      returning k.n
      """;

  /** Maximum of values per statement, unless one row has more: 3 MiB on the wire. */
  private static final int VALUES = 1 << 18;

  private UpdateRows() {}

  /** Writes {@code updates}, sorted by key; returns the indexes of those that were written. */
  public static BitSet execute(Connection connection, List<Update> updates) throws SQLException {
    var written = new BitSet(updates.size());
    int from = 0;
    while (from < updates.size()) {
      int to = from;
      int values = 0;
      do {
        values += updates.get(to++).dp().length;
      } while (to < updates.size() && values + updates.get(to).dp().length <= VALUES);
      execute(connection, updates, from, to, values, written);
      from = to;
    }
    return written;
  }

  private static void execute(
      Connection connection, List<Update> all, int from, int to, int values, BitSet written)
      throws SQLException {
    List<Update> updates = all.subList(from, to);
    double[] dp = new double[values];
    int[] first = new int[updates.size()];
    int[] last = new int[updates.size()];
    int end = 0;
    for (int u = 0; u < first.length; u++) {
      double[] row = updates.get(u).dp();
      System.arraycopy(row, 0, dp, end, row.length);
      first[u] = end + 1;
      end += row.length;
      last[u] = end;
    }
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      statement.setObject(1, dp);
      statement.setObject(2, updates.stream().mapToInt(Update::bundle).toArray());
      statement.setObject(3, updates.stream().mapToInt(u -> u.row().key().seg()).toArray());
      statement.setObject(4, updates.stream().mapToInt(u -> u.row().key().i()).toArray());
      statement.setObject(5, updates.stream().mapToInt(Update::version).toArray());
      statement.setObject(6, updates.stream().mapToLong(u -> u.row().endMs()).toArray());
      statement.setObject(7, first);
      statement.setObject(8, last);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          written.set(from + result.getInt(1) - 1);
        }
      }
    }
  }
}
