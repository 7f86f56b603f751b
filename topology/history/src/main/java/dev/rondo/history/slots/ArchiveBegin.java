package dev.rondo.history.slots;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** From when on slots are written into an archive that was added to its policy. */
public final class ArchiveBegin {
  /**
   * Start of the oldest slot of the archive, or now if there is none; if it was made later than
   * another archive of its policy, and a period that points brought to the policy is older. Series
   * that move with a change bring the first slots of their archives at different times.
   */
  private static final String ADDED =
      """
      select (extract(epoch from begins) * 1000)::bigint
      from (
        select policy, created, coalesce(first - step_ms * interval '1 ms', now()) as begins,
               2 * step_ms * interval '1 ms' + interval '1 minute' as lag
        from rra_bundle where id = ?
      ) as own
      where exists (
          select from rra_bundle as other
          where other.policy = own.policy and other.created < own.created - lag)
        and exists (
          select from location_period as period
          where period.policy = own.policy and period.starts_at < begins - lag
            and fill is distinct from 'open' and fill is distinct from 'done' and not backfilled)
      """;

  private ArchiveBegin() {}

  /**
   * Before which time no slots are written into the archive, epoch ms: when it began, if points of
   * the policy were stored in other archives before, otherwise {@link Long#MIN_VALUE}.
   *
   * @param id of its bundle
   */
  public static long lowMs(Connection connection, int id) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ADDED)) {
      statement.setInt(1, id);
      try (ResultSet result = statement.executeQuery()) {
        return result.next() ? result.getLong(1) : Long.MIN_VALUE;
      }
    }
  }
}
