package dev.rondo.rows;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Reads a bundle, and creates it if it is missing. It selects first: an insert with a conflict
 * would use up an id, and the views have 16 bits for bundle ids.
 */
public final class FindOrCreateBundle {
  private static final String SQL =
      """
      with found as (
        select id, width, xff, whisper, aggregate, first, latest from rra_bundle
        where policy = ? and cf = ? and step_ms = ? and size = ?
      ), created as (
        insert into rra_bundle (policy, cf, step_ms, size, width, xff, whisper, aggregate)
        select ?, ?, ?, ?, ?, ?, ?, ? where not exists (select from found)
        on conflict (policy, cf, step_ms, size) do nothing
        returning id, width, xff, whisper, aggregate, first, latest
      )
      select * from found union all select * from created
      """;

  private FindOrCreateBundle() {}

  /** Finds the bundle of {@code row}; a new one gets the width of the row and the properties. */
  public static StoredBundle execute(Connection connection, Row row, BundleProperties properties)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      Bundle bundle = row.key().bundle();
      for (int parameter = 0; parameter <= 4; parameter += 4) {
        statement.setString(parameter + 1, bundle.policy());
        statement.setString(parameter + 2, bundle.cf());
        statement.setLong(parameter + 3, bundle.stepMs());
        statement.setInt(parameter + 4, bundle.size());
      }
      statement.setInt(9, row.width());
      statement.setDouble(10, properties.xff());
      statement.setBoolean(11, properties.whisper());
      statement.setString(12, properties.aggregate());
      StoredBundle stored = null;
      while (stored == null) { // again if another task created it in between
        stored = first(statement);
      }
      return stored;
    }
  }

  private static StoredBundle first(PreparedStatement statement) throws SQLException {
    try (ResultSet result = statement.executeQuery()) {
      if (!result.next()) {
        return null;
      }
      var first = result.getTimestamp("first");
      var latest = result.getTimestamp("latest");
      return new StoredBundle(
          result.getInt("id"),
          result.getInt("width"),
          new BundleProperties(
              result.getDouble("xff"), result.getBoolean("whisper"), result.getString("aggregate")),
          first == null ? Long.MAX_VALUE : first.getTime(),
          latest == null ? Long.MIN_VALUE : latest.getTime());
    }
  }
}
