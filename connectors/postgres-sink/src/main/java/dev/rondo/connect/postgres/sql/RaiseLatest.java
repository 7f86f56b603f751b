package dev.rondo.connect.postgres.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;

/**
 * Raises the newest slot of each bundle. All tasks share these few rows: if another task has
 * already reached the slot, nothing is written and no lock is needed.
 */
public final class RaiseLatest {
  static final String SQL =
      "update rra_bundle set latest = ? where id = ? and (latest is null or latest < ?)";

  private RaiseLatest() {}

  /** Updates {@code bundles}, which all tasks pass in one order, to avoid deadlocks. */
  public static void execute(Connection connection, Collection<StoredBundle> bundles)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      for (StoredBundle bundle : bundles) {
        var latest = Instant.ofEpochMilli(bundle.latestMs()).atOffset(ZoneOffset.UTC);
        statement.setObject(1, latest);
        statement.setInt(2, bundle.id());
        statement.setObject(3, latest);
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }
}
