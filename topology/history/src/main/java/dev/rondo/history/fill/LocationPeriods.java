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

/** Statements on {@code location_period}: series that have moved, and what is filled for them. */
final class LocationPeriods {
  private static final String PERIOD =
      "select s.ds_id, s.number, s.policy, s.seg, s.pos, s.starts_at, least(s.ends_at, s.reassigned_at)"
          + " from location_period as s ";

  private static final String SEGMENTS =
      """
      select policy, seg, max(starts_at) from location_period
      where number > 0 and (fill is null or fill = 'open')
      group by policy, seg
      order by policy, seg
      """;

  private static final String ARRIVED =
      PERIOD
          + """
          join ds on ds.id = s.ds_id and ds.period = s.number
          where s.policy = ? and s.seg = ? and s.number > 0 and s.fill is null
          order by s.ds_id
          """;

  private static final String BEFORE =
      PERIOD
          + """
          join unnest(?::bigint[], ?::integer[]) as later (ds_id, number)
            on later.ds_id = s.ds_id and later.number > s.number
          order by s.ds_id, s.number desc
          """;

  private static final String OPEN =
      PERIOD
          + "where s.policy = ? and s.seg = ? and s.number > 0 and s.fill = 'open' order by s.ds_id";

  /** Positions that another period has had, or where values lie that are not of the series. */
  private static final String USED =
      """
      select p.pos
      from unnest(?::integer[], ?::bigint[], ?::integer[], ?::timestamptz[]) as p (pos, ds_id, number, starts_at)
      where exists (
          select from location_period as s
          where s.policy = ? and s.seg = ? and s.pos = p.pos and (s.ds_id, s.number) <> (p.ds_id, p.number)
            and not (s.ds_id = p.ds_id and s.backfilled))
        or exists (
          select from rra_bundle as b join ts on ts.rra_bundle_id = b.id
          where b.policy = ? and ts.seg = ? and ts.t > '-infinity' and ts.t <= p.starts_at
            and nullif(ts.dp[p.pos], 'NaN') is not null
            and not exists (
              select from location_period as own
              where own.ds_id = p.ds_id and own.backfilled and ts.t > own.starts_at and ts.t <= own.reassigned_at
                and (own.policy, own.seg, own.pos) = (b.policy, ts.seg, p.pos)))
      """;

  private static final String MOVED =
      " from unnest(?::bigint[], ?::integer[]) as m (ds_id, number) ";

  private LocationPeriods() {}

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

  /** Current periods of series that have moved to the segment and are not examined yet. */
  static List<LocationPeriod> arrived(Connection connection, String policy, int seg)
      throws SQLException {
    return read(connection, ARRIVED, policy, seg);
  }

  /** Periods that are being filled. */
  static List<LocationPeriod> open(Connection connection, String policy, int seg)
      throws SQLException {
    return read(connection, OPEN, policy, seg);
  }

  /** The earlier periods of the same series, the latest first. */
  static List<LocationPeriod> before(Connection connection, List<LocationPeriod> periods)
      throws SQLException {
    return read(connection, BEFORE, ids(periods), numbers(periods));
  }

  /** Positions in which slots before the period are not free. */
  static Set<Integer> used(Connection connection, Segment segment, List<LocationPeriod> periods)
      throws SQLException {
    var used = new HashSet<Integer>();
    try (PreparedStatement statement = connection.prepareStatement(USED)) {
      set(
          statement,
          periods.stream().map(LocationPeriod::pos).toArray(Integer[]::new),
          ids(periods),
          numbers(periods),
          periods.stream().map(period -> time(period.fromMs()).toString()).toArray(String[]::new),
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
   * Makes a period at the same location before each of these, for the slots to fill. One that has
   * ended meanwhile is left out.
   *
   * @param sinceMs by number: when its slots begin, epoch ms
   */
  static void begin(Connection connection, Map<LocationPeriod, Long> sinceMs) throws SQLException {
    var claimed = new HashSet<Long>();
    var periods = new ArrayList<>(sinceMs.keySet());
    try (PreparedStatement statement =
        connection.prepareStatement(
            "update ds set period = period + 1"
                + MOVED
                + "where ds.id = m.ds_id and ds.period = m.number returning ds.id")) {
      set(statement, ids(periods), numbers(periods));
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          claimed.add(result.getLong(1));
        }
      }
    }
    periods.removeIf(period -> !claimed.contains(period.series()));
    try (PreparedStatement statement =
        connection.prepareStatement(
            "update location_period as s set number = s.number + 1, fill = 'none'"
                + MOVED
                + "where s.ds_id = m.ds_id and s.number = m.number")) {
      set(statement, ids(periods), numbers(periods));
      statement.executeUpdate();
    }
    try (PreparedStatement statement =
        connection.prepareStatement(
            "insert into location_period (ds_id, number, policy, seg, pos, starts_at, ends_at, fill)"
                + " values (?, ?, ?, ?, ?, ?, ?, 'open')")) {
      for (LocationPeriod period : periods) {
        set(
            statement,
            period.series(),
            period.number(),
            period.policy(),
            period.seg(),
            period.pos(),
            time(sinceMs.get(period)),
            time(period.fromMs()));
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  /** Records that nothing is to be filled for those of these periods that did not begin. */
  static void skip(Connection connection, Segment segment, List<LocationPeriod> periods)
      throws SQLException {
    update(
        connection,
        "update location_period as s set fill = 'none'"
            + MOVED
            + "where s.ds_id = m.ds_id and s.number = m.number and s.fill is null",
        ids(periods),
        numbers(periods));
    update( // of series that have moved on meanwhile
        connection,
        "update location_period set fill = 'none'"
            + " where policy = ? and seg = ? and number > 0 and fill is null and ends_at < 'infinity'",
        segment.policy(),
        segment.seg());
  }

  /** Records that the segment is filled. */
  static void finish(Connection connection, Segment segment) throws SQLException {
    update(
        connection,
        "update location_period set fill = 'done' where policy = ? and seg = ? and number > 0 and fill = 'open'",
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
            "select distinct seg from location_period"
                + " where policy = ? and number > 0 and fill in ('none', 'done')")) {
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
          "update location_period set fill = case fill when 'done' then 'open' end"
              + " where policy = ? and seg = ? and number > 0"
              + " and (fill = 'done' or (fill = 'none' and ends_at = 'infinity'))",
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

  private static List<LocationPeriod> read(Connection connection, String sql, Object... parameters)
      throws SQLException {
    var periods = new ArrayList<LocationPeriod>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      set(statement, parameters);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          periods.add(
              new LocationPeriod(
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
    return periods;
  }

  private static void set(PreparedStatement statement, Object... parameters) throws SQLException {
    for (int p = 0; p < parameters.length; p++) {
      statement.setObject(p + 1, parameters[p]);
    }
  }

  private static long[] ids(List<LocationPeriod> periods) {
    return periods.stream().mapToLong(LocationPeriod::series).toArray();
  }

  private static int[] numbers(List<LocationPeriod> periods) {
    return periods.stream().mapToInt(LocationPeriod::number).toArray();
  }

  private static OffsetDateTime time(long epochMs) {
    return Instant.ofEpochMilli(epochMs).atOffset(ZoneOffset.UTC);
  }
}
