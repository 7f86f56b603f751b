package dev.rondo.connect.postgres.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Updates width, xff and mode of a bundle. The width is that of its widest segment and only grows:
 * segments keep their width when the topology creates new ones with another.
 */
public final class ReshapeBundle {
  static final String SQL =
      "update rra_bundle set width = greatest(width, ?), xff = ?, whisper = ? where id = ?";

  private ReshapeBundle() {}

  public static void execute(Connection connection, StoredBundle bundle) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      statement.setInt(1, bundle.width());
      statement.setDouble(2, bundle.xff());
      statement.setBoolean(3, bundle.whisper());
      statement.setInt(4, bundle.id());
      statement.executeUpdate();
    }
  }
}
