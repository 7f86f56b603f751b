package dev.rondo.history.fill;

import dev.rondo.topology.archive.Archive;
import dev.rondo.topology.archive.ArchiveShape;
import dev.rondo.topology.archive.ConsolidationFunction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** Statements on {@code rra_bundle}, {@code archive_fill} and {@code segment_fill}. */
final class FillTables {
  private static final String ARCHIVES =
      """
      select id, policy, cf, step_ms, size, xff, width, whisper, first, latest
      from rra_bundle as b where policy = ? and first is not null and latest is not null
      """;

  /** Archives that receive slots and are not examined yet. */
  private static final String NEW =
      """
      select id, policy from rra_bundle as b
      where first is not null
        and not exists (select from archive_fill where rra_bundle_id = b.id)
        and id in (select id from live_archive)
      """;

  private static final String BEGIN_SEGMENTS =
      """
      insert into segment_fill (rra_bundle_id, seg)
      select ?, seg
      from (select seg from ds where policy = ?
            union
            select seg from location_period where policy = ? and ends_at < 'infinity') as lived
      """;

  private static final String OPEN =
      """
      select f.rra_bundle_id, b.policy, f.until, f.started
      from archive_fill as f join rra_bundle as b on b.id = f.rra_bundle_id
      where f.finished is null and b.id in (select id from live_archive)
      order by f.started, f.rra_bundle_id
      """;

  private static final String PROGRESS =
      """
      update archive_fill
      set progressed = now(), slots = slots + ?, first = least(first, ?)
      where rra_bundle_id = ?
      """;

  private FillTables() {}

  /** Archives of a policy that have a slot. */
  static List<StoredArchive> archives(Connection connection, String policy) throws SQLException {
    return archives(connection, policy, ARCHIVES);
  }

  /** Those that receive slots. */
  static List<StoredArchive> live(Connection connection, String policy) throws SQLException {
    return archives(connection, policy, ARCHIVES + " and id in (select id from live_archive)");
  }

  private static List<StoredArchive> archives(Connection connection, String policy, String sql)
      throws SQLException {
    var archives = new ArrayList<StoredArchive>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, policy);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          archives.add(archive(result));
        }
      }
    }
    return archives;
  }

  private static StoredArchive archive(ResultSet result) throws SQLException {
    return new StoredArchive(
        result.getInt("id"),
        result.getString("policy"),
        new Archive(
            ConsolidationFunction.valueOf(result.getString("cf").toUpperCase(Locale.ROOT)),
            new ArchiveShape(result.getLong("step_ms"), result.getInt("size")),
            result.getDouble("xff")),
        result.getInt("width"),
        result.getBoolean("whisper"),
        result.getTimestamp("first").getTime(),
        result.getTimestamp("latest").getTime());
  }

  /**
   * Begins the fills of new archives, also for the series that have moved to their policy, and
   * forgets those of archives that no longer exist.
   */
  static void begin(Connection connection) throws SQLException {
    Map<Integer, String> added = added(connection);
    for (String policy : new TreeSet<>(added.values())) {
      LocationPeriods.reopen(connection, policy);
    }
    prepare(connection, added.keySet());
    connection.commit();
  }

  /** The same for the archives alone, without a commit. */
  static void prepare(Connection connection) throws SQLException {
    prepare(connection, added(connection).keySet());
  }

  private static Map<Integer, String> added(Connection connection) throws SQLException {
    var added = new HashMap<Integer, String>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(NEW)) {
      while (result.next()) {
        added.put(result.getInt(1), result.getString(2));
      }
    }
    return added;
  }

  private static void prepare(Connection connection, Set<Integer> added) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String table : new String[] {"archive_fill", "segment_fill"}) {
        statement.execute(
            "delete from %s where rra_bundle_id not in (select id from rra_bundle)"
                .formatted(table));
      }
    }
    try (PreparedStatement statement =
        connection.prepareStatement(
            "insert into archive_fill (rra_bundle_id, until)"
                + " select id, first from rra_bundle where id = any (?)")) {
      statement.setObject(1, added.stream().mapToInt(id -> id).toArray());
      statement.executeUpdate();
    }
    for (Fill fill : open(connection)) {
      if (segments(connection, fill.archive().id()) == 0) {
        beginSegments(connection, fill);
      }
    }
  }

  private static void beginSegments(Connection connection, Fill fill) throws SQLException {
    StoredArchive archive = fill.archive();
    if (!Sources.of(archive, fill.untilMs(), archives(connection, archive.policy())).isEmpty()) {
      try (PreparedStatement statement = connection.prepareStatement(BEGIN_SEGMENTS)) {
        statement.setInt(1, archive.id());
        statement.setString(2, archive.policy());
        statement.setString(3, archive.policy());
        statement.executeUpdate();
      }
    }
    if (segments(connection, archive.id()) == 0) {
      finish(connection, archive.id());
    }
  }

  private static long segments(Connection connection, int archive) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("select count(*) from segment_fill where rra_bundle_id = ?")) {
      statement.setInt(1, archive);
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        return result.getLong(1);
      }
    }
  }

  /** Unfinished fills, the oldest first, without those of retired archives. */
  static List<Fill> open(Connection connection) throws SQLException {
    var fills = new ArrayList<Fill>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(OPEN)) {
      while (result.next()) {
        int id = result.getInt(1);
        long untilMs = result.getTimestamp(3).getTime();
        var started = result.getTimestamp(4).toInstant();
        archives(connection, result.getString(2)).stream()
            .filter(archive -> archive.id() == id)
            .forEach(archive -> fills.add(new Fill(archive, untilMs, started)));
      }
    }
    return fills;
  }

  /** Segments of a fill that are not finished. */
  static List<Integer> openSegments(Connection connection, int archive) throws SQLException {
    var segments = new ArrayList<Integer>();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select seg from segment_fill where rra_bundle_id = ? and not finished order by seg")) {
      statement.setInt(1, archive);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          segments.add(result.getInt(1));
        }
      }
    }
    return segments;
  }

  /**
   * End of the newest slot filled in a segment, epoch ms. {@link Long#MIN_VALUE}: none yet; empty:
   * the segment is finished.
   */
  static OptionalLong filledToMs(Connection connection, int archive, int seg) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select nullif(filled_to, '-infinity') from segment_fill"
                + " where rra_bundle_id = ? and seg = ? and not finished")) {
      statement.setInt(1, archive);
      statement.setInt(2, seg);
      try (ResultSet result = statement.executeQuery()) {
        if (!result.next()) {
          return OptionalLong.empty();
        }
        Timestamp filledTo = result.getTimestamp(1);
        return OptionalLong.of(filledTo == null ? Long.MIN_VALUE : filledTo.getTime());
      }
    }
  }

  /**
   * Records that slots up to {@code toMs} are filled.
   *
   * @param filled those that have a value
   */
  static void progress(
      Connection connection, int archive, int seg, long toMs, List<SegmentRows.Row> filled)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "update segment_fill set filled_to = ? where rra_bundle_id = ? and seg = ?")) {
      statement.setTimestamp(1, new Timestamp(toMs));
      statement.setInt(2, archive);
      statement.setInt(3, seg);
      statement.executeUpdate();
    }
    Timestamp first =
        filled.stream()
            .map(row -> new Timestamp(row.endMs()))
            .min(Timestamp::compareTo)
            .orElse(null);
    try (PreparedStatement statement = connection.prepareStatement(PROGRESS)) {
      statement.setInt(1, filled.size());
      statement.setTimestamp(2, first);
      statement.setInt(3, archive);
      statement.executeUpdate();
    }
  }

  /** Records that a segment is filled; with the last one, the archive. */
  static void finish(Connection connection, int archive, int seg) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "update segment_fill set finished = true where rra_bundle_id = ? and seg = ?")) {
      statement.setInt(1, archive);
      statement.setInt(2, seg);
      statement.executeUpdate();
    }
    if (openSegments(connection, archive).isEmpty()) {
      finish(connection, archive);
    }
  }

  /** From now on the archive has the slots that were filled: queries read them. */
  private static void finish(Connection connection, int archive) throws SQLException {
    for (String sql :
        new String[] {
          "update rra_bundle as b set first = f.first from archive_fill as f"
              + " where f.rra_bundle_id = b.id and b.id = ? and f.first < b.first",
          "update archive_fill set finished = now() where rra_bundle_id = ?",
          "delete from segment_fill where rra_bundle_id = ?"
        }) {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        statement.setInt(1, archive);
        statement.executeUpdate();
      }
    }
  }
}
