package dev.rondo.history.fill;

import dev.rondo.history.slots.Indexes;
import dev.rondo.history.slots.RowWriter;
import dev.rondo.rows.FindRows;
import dev.rondo.rows.WriteMode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

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
    Indexes indexes = Indexes.of(archive.shape(), fromMs, toMs);
    var rows = new ArrayList<Row>();
    try (PreparedStatement statement = connection.prepareStatement(READ)) {
      statement.setObject(1, indexes.lows());
      statement.setObject(2, indexes.highs());
      statement.setInt(3, archive.id());
      statement.setInt(4, seg);
      statement.setObject(5, time(fromMs));
      statement.setObject(6, time(toMs));
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          rows.add(new Row(result.getTimestamp(1).getTime(), FindRows.values(result.getArray(2))));
        }
      }
    }
    return rows;
  }

  /** Fills unknown values by those of {@code rows}. */
  static void fill(Connection connection, StoredArchive archive, int seg, List<Row> rows)
      throws SQLException {
    RowWriter.write(
        connection,
        WriteMode.FILL,
        rows.stream().map(row -> archive.row(seg, row.endMs(), row.dp())).toList(),
        Map.of(archive.bundle(), archive.id()));
  }

  private static OffsetDateTime time(long epochMs) {
    return Instant.ofEpochMilli(epochMs).atOffset(ZoneOffset.UTC);
  }
}
