package dev.rondo.tools.why.stage;

import dev.rondo.connection.postgres.PostgresUrl;
import dev.rondo.tools.why.facts.Facts.Location;
import dev.rondo.tools.why.facts.Facts.Slot;
import dev.rondo.tools.why.facts.Facts.Stored;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What PostgreSQL has of the series. */
public final class DatabaseStage {
  private static final String LOCATION =
      "select policy, seg, pos, starts_at from ds where ident = rondo_ident(?)";

  /** The newest known slot of each archive; the rows of one segment are read. */
  private static final String SLOTS =
      """
      select b.cf, b.step_ms, newest.t, newest.r
      from rra_bundle as b
      cross join lateral (
        select t, dp[?] as r from ts
        where rra_bundle_id = b.id and seg = ? and t > ? and nullif(dp[?], 'NaN') is not null
        order by t desc limit 1) as newest
      where b.policy = ?
      order by b.step_ms, b.cf, newest.t
      """;

  private static final String APPLIED =
      "select topic || '-' || partition, max(next_offset) from applied_offset group by 1";

  private DatabaseStage() {}

  /**
   * Asks PostgreSQL for the series.
   *
   * @param url of the database; null = not asked
   */
  public static Stored read(String url, String ident) throws InterruptedException {
    return url == null ? null : Attempt.of(() -> ask(url, ident), Stored::failed);
  }

  private static Stored ask(String url, String ident) throws SQLException {
    try (Connection connection = PostgresUrl.parse(url).connect("rondo-why")) {
      int patienceMs = (int) Cluster.PATIENCE.toMillis();
      connection.setNetworkTimeout(Runnable::run, 2 * patienceMs);
      try (Statement statement = connection.createStatement()) {
        statement.execute("set statement_timeout = " + patienceMs);
      }
      Location location = location(connection, ident);
      return new Stored(
          null,
          location,
          location == null ? List.of() : slots(connection, location),
          applied(connection));
    }
  }

  private static Location location(Connection connection, String ident) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(LOCATION)) {
      statement.setString(1, ident);
      try (ResultSet result = statement.executeQuery()) {
        return result.next()
            ? new Location(
                result.getString(1),
                result.getInt(2),
                result.getInt(3),
                result.getTimestamp(4).getTime())
            : null;
      }
    }
  }

  private static List<Slot> slots(Connection connection, Location location) throws SQLException {
    List<Slot> slots = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(SLOTS)) {
      statement.setInt(1, location.position());
      statement.setInt(2, location.segment());
      statement.setTimestamp(3, new Timestamp(location.startsAtMs()));
      statement.setInt(4, location.position());
      statement.setString(5, location.policy());
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          slots.add(
              new Slot(
                  result.getString(1),
                  result.getLong(2),
                  result.getTimestamp(3).getTime(),
                  result.getDouble(4),
                  null,
                  null));
        }
      }
    }
    return slots;
  }

  private static Map<String, Long> applied(Connection connection) throws SQLException {
    Map<String, Long> applied = new HashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(APPLIED)) {
      while (result.next()) {
        applied.put(result.getString(1), result.getLong(2));
      }
    }
    return applied;
  }
}
