package dev.rondo.tools.fill;

import dev.rondo.topology.archive.ArchiveShape;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads and fills rows of {@code ts} of one archive and segment. */
final class SegmentRows {
  private static final String READ =
      """
      select ts.t, ts.dp
      from unnest(?::int[], ?::int[]) as part (low, high)
      join ts on ts.rra_bundle_id = ? and ts.seg = ? and ts.i between part.low and part.high
      where ts.t > ? and ts.t <= ?
      order by ts.t
      """;

  private static final String LENGTH =
      "select cardinality(dp) from ts where rra_bundle_id = ? and seg = ? limit 1";

  /**
   * Known values stay, whether they were there before or arrive at the same time; so do newer
   * slots. Slots of former rounds and preallocated rows, at -infinity, are replaced. A stored row
   * never becomes shorter.
   */
  private static final String FILL =
      """
      insert into ts (rra_bundle_id, seg, i, t, dp) values (?, ?, ?, ?, ?)
      on conflict (rra_bundle_id, seg, i) do update
        set t = excluded.t,
            dp = case when excluded.t = ts.t then rondo_merge(excluded.dp, ts.dp)
                      else excluded.dp || array_fill(
                        double precision 'NaN',
                        array[greatest(cardinality(ts.dp) - cardinality(excluded.dp), 0)]) end
        where excluded.t > ts.t
           or (excluded.t = ts.t and rondo_merge(excluded.dp, ts.dp) <> ts.dp)
      """;

  private SegmentRows() {}

  /**
   * One slot of a segment.
   *
   * @param endMs end of the slot, epoch ms
   * @param dp values by position, NaN where unknown
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Row(long endMs, double[] dp) {
    boolean isKnown() {
      return Arrays.stream(dp).anyMatch(value -> !Double.isNaN(value));
    }
  }

  /** Slots that end after {@code fromMs} and at or before {@code toMs}, in the order of time. */
  static List<Row> read(
      Connection connection, StoredArchive archive, int seg, long fromMs, long toMs)
      throws SQLException {
    ArchiveShape shape = archive.shape();
    int low = shape.index(shape.endOf(fromMs + 1));
    int high = shape.index(shape.endOf(toMs));
    boolean isWhole = toMs - fromMs >= shape.spanMs();
    int[] lows = isWhole ? new int[] {0} : low <= high ? new int[] {low} : new int[] {low, 0};
    int last = shape.size() - 1;
    int[] highs =
        isWhole ? new int[] {last} : low <= high ? new int[] {high} : new int[] {last, high};
    var rows = new ArrayList<Row>();
    try (PreparedStatement statement = connection.prepareStatement(READ)) {
      statement.setObject(1, lows);
      statement.setObject(2, highs);
      statement.setInt(3, archive.id());
      statement.setInt(4, seg);
      statement.setObject(5, time(fromMs));
      statement.setObject(6, time(toMs));
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          rows.add(new Row(result.getTimestamp(1).getTime(), values(result.getArray(2))));
        }
      }
    }
    return rows;
  }

  /** Fills unknown values by those of {@code rows}, which are in the order of their index. */
  static void fill(Connection connection, StoredArchive archive, int seg, List<Row> rows)
      throws SQLException {
    if (rows.isEmpty()) {
      return;
    }
    int length = Math.max(length(connection, archive, seg), rows.get(0).dp().length);
    try (PreparedStatement statement = connection.prepareStatement(FILL)) {
      for (Row row : rows) {
        double[] dp = Arrays.copyOf(row.dp(), length);
        Arrays.fill(dp, row.dp().length, length, Double.NaN);
        statement.setInt(1, archive.id());
        statement.setInt(2, seg);
        statement.setInt(3, archive.shape().index(row.endMs()));
        statement.setObject(4, time(row.endMs()));
        statement.setObject(5, dp);
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  /** Length of the rows that the segment already has, which all its rows share; 0: none. */
  private static int length(Connection connection, StoredArchive archive, int seg)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(LENGTH)) {
      statement.setInt(1, archive.id());
      statement.setInt(2, seg);
      try (ResultSet result = statement.executeQuery()) {
        return result.next() ? result.getInt(1) : 0;
      }
    }
  }

  private static double[] values(Array array) throws SQLException {
    var elements = (Double[]) array.getArray();
    var values = new double[elements.length];
    for (int p = 0; p < values.length; p++) {
      values[p] = elements[p] == null ? Double.NaN : elements[p];
    }
    return values;
  }

  private static java.time.OffsetDateTime time(long epochMs) {
    return Instant.ofEpochMilli(epochMs).atOffset(ZoneOffset.UTC);
  }
}
