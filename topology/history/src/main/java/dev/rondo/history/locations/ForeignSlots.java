package dev.rondo.history.locations;

import dev.rondo.history.locations.Extension.Foreign;
import dev.rondo.history.slots.Indexes;
import dev.rondo.history.slots.RowWriter;
import dev.rondo.history.slots.SlotSession;
import dev.rondo.rows.Bundle;
import dev.rondo.rows.Row;
import dev.rondo.rows.WriteMode;
import dev.rondo.topology.archive.ArchiveShape;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/** Slots of a segment that series have left whose history is gone: no query shows them. */
final class ForeignSlots {
  private static final String ARCHIVES =
      "select id, cf, step_ms, size, width from rra_bundle where policy = ? order by id";

  private static final String FIND =
      """
      select ts.i, ts.t, array_agg(f.pos)
      from unnest(?::int[], ?::int[]) as part (low, high)
      join ts on ts.rra_bundle_id = ? and ts.seg = ? and ts.i between part.low and part.high
      join unnest(?::int[], ?::timestamptz[], ?::timestamptz[], ?::timestamptz[]) as f (pos, since, "to", until)
        on ts.t > f.since and ts.t <= f."to" and ts.t < f.until + ? * interval '1 ms'
       and nullif(ts.dp[f.pos], 'NaN') is not null
      where ts.t > '-infinity'
      group by ts.i, ts.t
      """;

  /** Rows that a transaction changes. */
  private static final int ROWS = 1000;

  private final SlotSession session;
  private final int seg;
  private final List<Stored> archives;

  private record Stored(int id, Bundle bundle, int width) {
    ArchiveShape shape() {
      return new ArchiveShape(bundle.stepMs(), bundle.size());
    }
  }

  ForeignSlots(SlotSession session, String policy, int seg)
      throws SQLException, InterruptedException {
    this.session = session;
    this.seg = seg;
    this.archives = session.transaction(connection -> archives(connection, policy));
  }

  private static List<Stored> archives(Connection connection, String policy) throws SQLException {
    var archives = new ArrayList<Stored>();
    try (PreparedStatement statement = connection.prepareStatement(ARCHIVES)) {
      statement.setString(1, policy);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          var bundle = new Bundle(policy, result.getString(2), result.getLong(3), result.getInt(4));
          archives.add(new Stored(result.getInt(1), bundle, result.getInt(5)));
        }
      }
    }
    return archives;
  }

  /** Steps of the archives of the policy, ms. */
  List<Long> stepsMs() {
    return archives.stream().map(archive -> archive.bundle.stepMs()).toList();
  }

  /** Makes these slots unknown, in transactions of some rows. */
  void clear(List<Foreign> foreign) throws SQLException, InterruptedException {
    if (foreign.isEmpty()) {
      return;
    }
    for (Stored archive : archives) {
      List<Row> rows = session.transaction(connection -> find(connection, archive, foreign));
      for (int from = 0; from < rows.size(); from += ROWS) {
        List<Row> some = rows.subList(from, Math.min(rows.size(), from + ROWS));
        session.transaction(
            connection ->
                RowWriter.write(
                    connection, WriteMode.OVERWRITE, some, Map.of(archive.bundle, archive.id)));
      }
    }
  }

  private List<Row> find(Connection connection, Stored archive, List<Foreign> foreign)
      throws SQLException {
    long fromMs = foreign.stream().mapToLong(Foreign::sinceMs).min().orElseThrow();
    long toMs = foreign.stream().mapToLong(Foreign::toMs).max().orElseThrow();
    Indexes indexes = Indexes.of(archive.shape(), fromMs, toMs);
    var rows = new ArrayList<Row>();
    try (PreparedStatement statement = connection.prepareStatement(FIND)) {
      statement.setObject(1, indexes.lows());
      statement.setObject(2, indexes.highs());
      statement.setInt(3, archive.id);
      statement.setInt(4, seg);
      statement.setObject(5, foreign.stream().mapToInt(Foreign::pos).toArray());
      statement.setArray(
          6, PeriodExtension.times(connection, foreign.stream().map(Foreign::sinceMs).toList()));
      statement.setArray(
          7, PeriodExtension.times(connection, foreign.stream().map(Foreign::toMs).toList()));
      statement.setArray(
          8, PeriodExtension.times(connection, foreign.stream().map(Foreign::untilMs).toList()));
      statement.setLong(9, archive.bundle.stepMs());
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          var unknown = new BitSet();
          for (Integer pos : (Integer[]) result.getArray(3).getArray()) {
            unknown.set(pos - 1);
          }
          rows.add(
              new Row(
                  new Row.Key(archive.bundle, seg, result.getInt(1)),
                  archive.width,
                  result.getTimestamp(2).getTime(),
                  new double[0],
                  unknown));
        }
      }
    }
    return rows;
  }
}
