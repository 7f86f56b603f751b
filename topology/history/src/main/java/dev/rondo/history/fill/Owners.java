package dev.rondo.history.fill;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * From when on which series has each position of a segment, so that no slot is filled with values
 * of a former series of the position.
 *
 * <pre>
 *   position 3      | series a      starts_at ▼  | series b
 *   10 s slots      | 1 | 1 | 1 |   |   |   |   | 5 | 5 | 5 |
 *   1 m slot                |                           |     of b: 5, since it ends after starts_at
 * </pre>
 *
 * <p>What was copied for a series that has moved, or backfilled, belongs to it from the first such
 * slot on.
 *
 * @param startsAtMs by position, from 1: epoch ms of each series that has or had it
 */
record Owners(Map<Integer, NavigableSet<Long>> startsAtMs) {
  private static final String SQL =
      """
      select pos, starts_at from ds
      where policy = ? and seg = ?
        and not exists (
          select from location_period as copied
          where ds_id = ds.id and number = ds.period - 1 and (fill in ('open', 'done') or backfilled)
            and (copied.policy, copied.seg, copied.pos) = (ds.policy, ds.seg, ds.pos))
      union all
      select pos, starts_at from location_period
      where policy = ? and seg = ? and ends_at < 'infinity'
      """;

  /** No series has the position at a time. */
  static final long NOBODY = Long.MAX_VALUE;

  static Owners read(Connection connection, String policy, int seg) throws SQLException {
    var startsAtMs = new HashMap<Integer, NavigableSet<Long>>();
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      statement.setString(1, policy);
      statement.setInt(2, seg);
      statement.setString(3, policy);
      statement.setInt(4, seg);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          startsAtMs
              .computeIfAbsent(result.getInt(1), pos -> new TreeSet<>())
              .add(result.getTimestamp(2).getTime());
        }
      }
    }
    return new Owners(startsAtMs);
  }

  /**
   * Returns for each position, from index 0, from when on a slot that ends at {@code endMs} belongs
   * to the series that is shown there: finer slots that end at or before that are of another one.
   * {@link #NOBODY} where no series is.
   */
  long[] sinceMs(long endMs, int width) {
    long[] sinceMs = new long[width];
    for (int p = 0; p < width; p++) {
      NavigableSet<Long> owners = startsAtMs.get(p + 1);
      Long since = owners == null ? null : owners.lower(endMs);
      sinceMs[p] = since == null ? NOBODY : since;
    }
    return sinceMs;
  }
}
