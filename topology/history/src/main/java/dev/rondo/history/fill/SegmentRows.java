package dev.rondo.history.fill;

import dev.rondo.history.slots.Indexes;
import dev.rondo.history.slots.RowWriter;
import dev.rondo.rows.WriteMode;
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
          rows.add(new Row(result.getTimestamp(1).getTime(), RowWriter.values(result.getArray(2))));
        }
      }
    }
    return rows;
  }

  /** Fills unknown values by those of {@code rows}. */
  static void fill(Connection connection, StoredArchive archive, int seg, List<Row> rows)
      throws SQLException {
    List<dev.rondo.history.slots.Row> written =
        rows.stream()
            .map(
                row ->
                    new dev.rondo.history.slots.Row(
                        archive.id(),
                        seg,
                        archive.shape().index(row.endMs()),
                        row.endMs(),
                        row.dp()))
            .toList();
    RowWriter.write(connection, WriteMode.FILL, written, archive.width());
  }

  private static java.time.OffsetDateTime time(long epochMs) {
    return Instant.ofEpochMilli(epochMs).atOffset(ZoneOffset.UTC);
  }
}
