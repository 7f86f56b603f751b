package dev.rondo.history.fill;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/**
 * Decides when a segment can be filled: rows that have not reached PostgreSQL could still change
 * finer slots. Rows arrive in the order of time, so the older slots of a segment are complete once
 * it has newer ones.
 *
 * @param settle by how much newer its newest slot must be than the slots to fill: series send late
 * @param patience after this time since the start a segment without newer slots is silent
 */
record Readiness(Duration settle, Duration patience, Clock clock) {
  /** Newest slots of the finest archive in which a segment with points has a row. */
  private static final int SLOTS = 100;

  private static final String NEWER =
      """
      select exists (
        select
        from generate_series(?::bigint, ?::bigint, -?::bigint) as slot (end_ms)
        join ts on ts.rra_bundle_id = ? and ts.seg = ? and ts.i = slot.end_ms / ? % ?
        where ts.t = timestamptz 'epoch' + slot.end_ms * interval '1 ms')
      """;

  boolean isReady(Connection connection, Fill fill, int seg) throws SQLException {
    return isReady(connection, fill.started(), fill.archive().policy(), seg, fill.untilMs());
  }

  /**
   * Whether slots of a segment that end at or before {@code untilMs} are complete.
   *
   * @param started when the wait began
   */
  boolean isReady(Connection connection, Instant started, String policy, int seg, long untilMs)
      throws SQLException {
    return clock.instant().isAfter(started.plus(patience))
        || hasNewer(connection, policy, seg, untilMs + settle.toMillis());
  }

  private boolean hasNewer(Connection connection, String policy, int seg, long fromMs)
      throws SQLException {
    Optional<StoredArchive> found =
        FillTables.archives(connection, policy).stream()
            .filter(archive -> archive.latestMs() >= fromMs)
            .min(
                Comparator.comparingLong(StoredArchive::stepMs)
                    .thenComparing(Comparator.comparingLong(StoredArchive::latestMs).reversed()));
    if (found.isEmpty()) {
      return false;
    }
    StoredArchive newest = found.get();
    long oldestMs = Math.max(fromMs, newest.latestMs() - SLOTS * newest.stepMs());
    try (PreparedStatement statement = connection.prepareStatement(NEWER)) {
      statement.setLong(1, newest.latestMs());
      statement.setLong(2, oldestMs);
      statement.setLong(3, newest.stepMs());
      statement.setInt(4, newest.id());
      statement.setInt(5, seg);
      statement.setLong(6, newest.stepMs());
      statement.setInt(7, newest.shape().size());
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        return result.getBoolean(1);
      }
    }
  }
}
