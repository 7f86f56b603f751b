package dev.rondo.rows;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Updates width, xff, mode and aggregate of a bundle. The width is that of its widest segment and
 * only grows: segments keep their width when the topology creates new ones with another.
 */
public final class ReshapeBundle {
  private static final String SQL =
      """
      update rra_bundle set width = greatest(width, ?), xff = ?, whisper = ?, aggregate = ?
      where id = ?
      """;

  private ReshapeBundle() {}

  public static void execute(Connection connection, StoredBundle bundle) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      statement.setInt(1, bundle.width());
      statement.setDouble(2, bundle.properties().xff());
      statement.setBoolean(3, bundle.properties().whisper());
      statement.setString(4, bundle.properties().aggregate());
      statement.setInt(5, bundle.id());
      statement.executeUpdate();
    }
  }
}
