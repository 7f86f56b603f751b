package dev.rondo.history.fill;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Statements on {@code series_location}: series that have moved, and what is filled for them. */
final class Stays {
  private static final String STAY =
      "select s.ds_id, s.stay, s.policy, s.seg, s.pos, s.valid_from, least(s.valid_to, s.taken_at)"
          + " from series_location as s ";

  private static final String SEGMENTS =
      """
      select policy, seg, max(valid_from) from series_location
      where stay > 0 and (fill is null or fill = 'open')
      group by policy, seg
      order by policy, seg
      """;

  private static final String ARRIVED =
      STAY
          + """
          join ds on ds.id = s.ds_id and ds.moves = s.stay
          where s.policy = ? and s.seg = ? and s.stay > 0 and s.fill is null
          order by s.ds_id
          """;

  private static final String BEFORE =
      STAY
          + """
          join unnest(?::bigint[], ?::integer[]) as later (ds_id, stay)
            on later.ds_id = s.ds_id and later.stay > s.stay
          order by s.ds_id, s.stay desc
          """;

  private static final String OPEN =
      STAY + "where s.policy = ? and s.seg = ? and s.stay > 0 and s.fill = 'open' order by s.ds_id";

  /** Positions that another stay has had, or where values lie that are not of the series. */
  private static final String USED =
      """
      select p.pos
      from unnest(?::integer[], ?::bigint[], ?::integer[], ?::timestamptz[]) as p (pos, ds_id, stay, valid_from)
      where exists (
          select from series_location as s
          where s.policy = ? and s.seg = ? and s.pos = p.pos and (s.ds_id, s.stay) <> (p.ds_id, p.stay)
            and not (s.ds_id = p.ds_id and s.backfilled))
        or exists (
          select from rra_bundle as b join ts on ts.rra_bundle_id = b.id
          where b.policy = ? and ts.seg = ? and ts.t > '-infinity' and ts.t <= p.valid_from
            and nullif(ts.dp[p.pos], 'NaN') is not null
            and not exists (
              select from series_location as own
              where own.ds_id = p.ds_id and own.backfilled and ts.t > own.valid_from and ts.t <= own.taken_at
                and (own.policy, own.seg, own.pos) = (b.policy, ts.seg, p.pos)))
      """;

  private static final String MOVED = " from unnest(?::bigint[], ?::integer[]) as m (ds_id, stay) ";

  private Stays() {}

  /**
   * A segment with series that have moved there.
   *
   * @param latestMs when the last one did, epoch ms
   */
  record Segment(String policy, int seg, long latestMs) {}

  /** Segments with series that have moved there and are not filled yet. */
  static List<Segment> segments(Connection connection) throws SQLException {
    var segments = new ArrayList<Segment>();
    try (PreparedStatement statement = connection.prepareStatement(SEGMENTS);
        ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        segments.add(
            new Segment(result.getString(1), result.getInt(2), result.getTimestamp(3).getTime()));
      }
    }
    return segments;
  }

  /** Current stays of series that have moved to the segment and were not looked at before. */
  static List<Stay> arrived(Connection connection, String policy, int seg) throws SQLException {
    return read(connection, ARRIVED, policy, seg);
  }

  /** Stays that are being filled. */
  static List<Stay> open(Connection connection, String policy, int seg) throws SQLException {
    return read(connection, OPEN, policy, seg);
  }

  /** The earlier stays of the same series, the latest first. */
  static List<Stay> before(Connection connection, List<Stay> stays) throws SQLException {
    return read(connection, BEFORE, ids(stays), numbers(stays));
  }

  /** Positions in which slots before the stay are not free. */
  static Set<Integer> used(Connection connection, Segment segment, List<Stay> stays)
      throws SQLException {
    var used = new HashSet<Integer>();
    try (PreparedStatement statement = connection.prepareStatement(USED)) {
      set(
          statement,
          stays.stream().map(Stay::pos).toArray(Integer[]::new),
          ids(stays),
          numbers(stays),
          stays.stream().map(stay -> time(stay.fromMs()).toString()).toArray(String[]::new),
          segment.policy(),
          segment.seg(),
          segment.policy(),
          segment.seg());
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          used.add(result.getInt(1));
        }
      }
    }
    return used;
  }

  /**
   * Makes a stay at the same location before each of these, for the slots to fill. One that has
   * ended meanwhile is left out.
   *
   * @param sinceMs by stay: when its slots begin, epoch ms
   */
  static void begin(Connection connection, Map<Stay, Long> sinceMs) throws SQLException {
    var claimed = new HashSet<Long>();
    var stays = new ArrayList<>(sinceMs.keySet());
    try (PreparedStatement statement =
        connection.prepareStatement(
            "update ds set moves = moves + 1"
                + MOVED
                + "where ds.id = m.ds_id and ds.moves = m.stay returning ds.id")) {
      set(statement, ids(stays), numbers(stays));
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          claimed.add(result.getLong(1));
        }
      }
    }
    stays.removeIf(stay -> !claimed.contains(stay.series()));
    try (PreparedStatement statement =
        connection.prepareStatement(
            "update series_location as s set stay = s.stay + 1, fill = 'none'"
                + MOVED
                + "where s.ds_id = m.ds_id and s.stay = m.stay")) {
      set(statement, ids(stays), numbers(stays));
      statement.executeUpdate();
    }
    try (PreparedStatement statement =
        connection.prepareStatement(
            "insert into series_location (ds_id, stay, policy, seg, pos, valid_from, valid_to, fill)"
                + " values (?, ?, ?, ?, ?, ?, ?, 'open')")) {
      for (Stay stay : stays) {
        set(
            statement,
            stay.series(),
            stay.number(),
            stay.policy(),
            stay.seg(),
            stay.pos(),
            time(sinceMs.get(stay)),
            time(stay.fromMs()));
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  /** Records that nothing is to be filled for those of these stays that did not begin. */
  static void skip(Connection connection, Segment segment, List<Stay> stays) throws SQLException {
    update(
        connection,
        "update series_location as s set fill = 'none'"
            + MOVED
            + "where s.ds_id = m.ds_id and s.stay = m.stay and s.fill is null",
        ids(stays),
        numbers(stays));
    update( // of series that have moved on meanwhile
        connection,
        "update series_location set fill = 'none'"
            + " where policy = ? and seg = ? and stay > 0 and fill is null and valid_to < 'infinity'",
        segment.policy(),
        segment.seg());
  }

  /** Records that the segment is filled. */
  static void finish(Connection connection, Segment segment) throws SQLException {
    update(
        connection,
        "update series_location set fill = 'done' where policy = ? and seg = ? and stay > 0 and fill = 'open'",
        segment.policy(),
        segment.seg());
  }

  /**
   * An archive of the policy has begun: what was filled is filled in it, too, and where nothing was
   * to be filled there may be now. A transaction for each segment; it may be repeated.
   */
  static void reopen(Connection connection, String policy) throws SQLException {
    var segments = new ArrayList<Integer>();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select distinct seg from series_location"
                + " where policy = ? and stay > 0 and fill in ('none', 'done')")) {
      set(statement, policy);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          segments.add(result.getInt(1));
        }
      }
    }
    for (int seg : segments) {
      update(
          connection,
          "update series_location set fill = case fill when 'done' then 'open' end"
              + " where policy = ? and seg = ? and stay > 0"
              + " and (fill = 'done' or (fill = 'none' and valid_to = 'infinity'))",
          policy,
          seg);
      connection.commit();
    }
  }

  /** From now on the archive has slots from {@code firstMs} on: queries read them. */
  static void begins(Connection connection, int archive, long firstMs) throws SQLException {
    update(
        connection,
        "update rra_bundle set first = ? where id = ? and first > ?",
        time(firstMs),
        archive,
        time(firstMs));
  }

  private static void update(Connection connection, String sql, Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      set(statement, parameters);
      statement.executeUpdate();
    }
  }

  private static List<Stay> read(Connection connection, String sql, Object... parameters)
      throws SQLException {
    var stays = new ArrayList<Stay>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      set(statement, parameters);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          stays.add(
              new Stay(
                  result.getLong(1),
                  result.getInt(2),
                  result.getString(3),
                  result.getInt(4),
                  result.getInt(5),
                  result.getTimestamp(6).getTime(),
                  result.getTimestamp(7).getTime()));
        }
      }
    }
    return stays;
  }

  private static void set(PreparedStatement statement, Object... parameters) throws SQLException {
    for (int p = 0; p < parameters.length; p++) {
      statement.setObject(p + 1, parameters[p]);
    }
  }

  private static long[] ids(List<Stay> stays) {
    return stays.stream().mapToLong(Stay::series).toArray();
  }

  private static int[] numbers(List<Stay> stays) {
    return stays.stream().mapToInt(Stay::number).toArray();
  }

  private static OffsetDateTime time(long epochMs) {
    return Instant.ofEpochMilli(epochMs).atOffset(ZoneOffset.UTC);
  }
}
