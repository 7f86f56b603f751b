package dev.rondo.connect.postgres.offsets;

import dev.rondo.connect.postgres.errors.FencedException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Locks the offsets of partitions until the transaction ends, and moves them. Each writing
 * transaction begins with it: records that were read before another task wrote are refused before
 * they change anything.
 */
public final class ClaimOffsets {
  private static final String CLAIMS =
      """
      with claim as materialized (
        select * from unnest(?::text[], ?::uuid[], ?::int[], ?::bigint[], ?::bigint[])
          as c (topic, topic_id, partition, expected, next)
      )
      """;

  static final String INSERT =
      CLAIMS
          + """
            insert into applied_offset (topic, topic_id, partition, next_offset)
            select topic, topic_id, partition, expected from claim order by 1, 2, 3
            on conflict do nothing
            """;

  /** Rows of a deleted topic of the same name, or of this one before its id was known. */
  static final String DELETE_FORMER =
      CLAIMS
          + """
            delete from applied_offset a using claim c
            where (a.topic, a.partition) = (c.topic, c.partition) and a.topic_id <> c.topic_id
              and c.topic_id <> '00000000-0000-0000-0000-000000000000'
            """;

  /** Locks in the order of the key, so that two tasks cannot deadlock. */
  static final String MOVE =
      CLAIMS
          + """
            , held as materialized (
              select topic, topic_id, partition, c.next
              from applied_offset a join claim c using (topic, topic_id, partition)
              where a.next_offset = c.expected
              order by 1, 2, 3 for no key update of a
            ), moved as (
              update applied_offset a set next_offset = h.next from held h
              where (a.topic, a.topic_id, a.partition) = (h.topic, h.topic_id, h.partition)
                and a.next_offset <> h.next
            )
            select count(*) from held
            """;

  private ClaimOffsets() {}

  /**
   * Locks and moves the offsets of {@code claims}.
   *
   * @throws FencedException where one of the partitions is not where it is expected
   */
  public static void execute(Connection connection, List<OffsetClaim> claims) throws SQLException {
    List<OffsetClaim> missing = claims.stream().filter(claim -> !claim.stored()).toList();
    if (!missing.isEmpty()) {
      for (String sql : List.of(INSERT, DELETE_FORMER)) {
        try (PreparedStatement statement = prepare(connection, sql, missing)) {
          statement.executeUpdate();
        }
      }
    }
    if (claims.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = prepare(connection, MOVE, claims);
        ResultSet held = statement.executeQuery()) {
      held.next();
      if (held.getInt(1) < claims.size()) {
        throw new FencedException(
            "another task has applied records since, or the database was restored: expected offsets %s"
                .formatted(
                    claims.stream()
                        .map(claim -> claim.partition() + "@" + claim.expected())
                        .collect(Collectors.joining(", "))));
      }
    }
  }

  private static PreparedStatement prepare(
      Connection connection, String sql, List<OffsetClaim> claims) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    statement.setObject(
        1, claims.stream().map(claim -> claim.partition().topic()).toArray(String[]::new));
    statement.setArray(
        2,
        connection.createArrayOf(
            "uuid", claims.stream().map(OffsetClaim::topicId).toArray(UUID[]::new)));
    statement.setObject(
        3, claims.stream().mapToInt(claim -> claim.partition().partition()).toArray());
    statement.setObject(4, claims.stream().mapToLong(OffsetClaim::expected).toArray());
    statement.setObject(5, claims.stream().mapToLong(OffsetClaim::next).toArray());
    return statement;
  }
}
