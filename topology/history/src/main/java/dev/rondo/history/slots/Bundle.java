package dev.rondo.history.slots;

import dev.rondo.topology.archive.Archive;
import dev.rondo.topology.policy.Policy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.Map;

/**
 * An archive in {@code rra_bundle}.
 *
 * @param id of the bundle
 * @param beginMs start of the oldest slot that was ever written, epoch ms; now if there is none
 */
public record Bundle(int id, String policy, long stepMs, long beginMs) {
  /** It selects first: an insert with a conflict would use up an id. */
  private static final String FIND_OR_CREATE =
      """
      with given (policy, cf, step_ms, size, width, xff, whisper, aggregate) as (
        values (?, ?, ?::bigint, ?::integer, ?::integer, ?::double precision, ?::boolean, ?)
      ), found as (
        select b.id, b.first from rra_bundle as b join given using (policy, cf, step_ms, size)
      ), created as (
        insert into rra_bundle (policy, cf, step_ms, size, width, xff, whisper, aggregate)
        select * from given where not exists (select from found)
        on conflict (policy, cf, step_ms, size) do nothing
        returning id, first
      )
      select id, first, now() from (select * from found union all select * from created) as either
      """;

  /**
   * Whether it was made later than another archive of its policy, and a period that points brought
   * to the policy is older than its first slot.
   */
  private static final String ADDED =
      """
      select exists (
          select from rra_bundle as own join rra_bundle as other using (policy)
          where own.id = ? and other.created < own.created - ? * interval '1 ms')
        and exists (
          select from location_period
          where policy = ? and starts_at < ?
            and fill is distinct from 'open' and fill is distinct from 'done' and not backfilled)
      """;

  private static final String EXTEND =
      """
      update rra_bundle
      set first = least(first, ?), latest = greatest(latest, ?), width = greatest(width, ?)
      where id = ? and (first is null or first > ? or latest is null or latest < ? or width < ?)
      """;

  /** Series that move with a change bring the first slots of their archives at different times. */
  private static final long LAG_MS = 60_000;

  /**
   * What rows of a bundle have.
   *
   * @param firstMs end of the oldest slot, epoch ms
   * @param latestMs end of the newest slot, epoch ms
   * @param width largest position
   */
  record Span(long firstMs, long latestMs, int width) {
    static Span of(Row row) {
      return new Span(row.endMs(), row.endMs(), row.dp().length);
    }

    Span and(Span other) {
      return new Span(
          Math.min(firstMs, other.firstMs),
          Math.max(latestMs, other.latestMs),
          Math.max(width, other.width));
    }
  }

  /** Finds an archive of a policy, and creates it if it is missing. */
  static Bundle findOrCreate(Connection connection, Policy policy, Archive archive, int width)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(FIND_OR_CREATE)) {
      set(
          statement,
          policy.name(),
          archive.function().key(),
          archive.shape().stepMs(),
          archive.shape().size(),
          width,
          archive.xff(),
          policy.isWhisper(),
          policy.aggregate().key());
      while (true) { // again if a sink created it in between
        try (ResultSet result = statement.executeQuery()) {
          if (result.next()) {
            long stepMs = archive.shape().stepMs();
            var first = result.getTimestamp(2);
            long beginMs =
                first == null ? result.getTimestamp(3).getTime() : first.getTime() - stepMs;
            return new Bundle(result.getInt(1), policy.name(), stepMs, beginMs);
          }
        }
      }
    }
  }

  /**
   * Before which time no slots are written into the archive, epoch ms: when it began, if points of
   * the policy were stored in other archives before, otherwise {@link Long#MIN_VALUE}.
   */
  public long lowMs(Connection connection) throws SQLException {
    long lagMs = 2 * stepMs + LAG_MS;
    try (PreparedStatement statement = connection.prepareStatement(ADDED)) {
      set(statement, id, lagMs, policy, time(beginMs - lagMs));
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        return result.getBoolean(1) ? beginMs : Long.MIN_VALUE;
      }
    }
  }

  /** From now on the archives have these slots: queries read them. */
  static void extend(Connection connection, Map<Bundle, Span> spans) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(EXTEND)) {
      for (Bundle bundle :
          spans.keySet().stream().sorted(Comparator.comparing(Bundle::id)).toList()) {
        Span span = spans.get(bundle);
        OffsetDateTime first = time(span.firstMs);
        OffsetDateTime latest = time(span.latestMs);
        set(statement, first, latest, span.width, bundle.id, first, latest, span.width);
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private static void set(PreparedStatement statement, Object... parameters) throws SQLException {
    for (int p = 0; p < parameters.length; p++) {
      statement.setObject(p + 1, parameters[p]);
    }
  }

  private static OffsetDateTime time(long epochMs) {
    return Instant.ofEpochMilli(epochMs).atOffset(ZoneOffset.UTC);
  }
}
