package dev.rondo.rows;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;

/**
 * Extends the time from the oldest to the newest slot of each bundle, and its width. All tasks
 * share these few rows: if another one has already reached both slots, nothing is written and no
 * lock is needed.
 */
public final class ExtendBundles {
  private static final String SQL =
      """
      update rra_bundle
      set first = least(first, ?), latest = greatest(latest, ?), width = greatest(width, ?)
      where id = ? and (first is null or first > ? or latest is null or latest < ? or width < ?)
      """;

  private ExtendBundles() {}

  /** Updates {@code bundles}, which all tasks pass in one order, to avoid deadlocks. */
  public static void execute(Connection connection, Collection<StoredBundle> bundles)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      for (StoredBundle bundle : bundles) {
        OffsetDateTime first = time(bundle.firstMs());
        OffsetDateTime latest = time(bundle.latestMs());
        statement.setObject(1, first);
        statement.setObject(2, latest);
        statement.setInt(3, bundle.width());
        statement.setInt(4, bundle.id());
        statement.setObject(5, first);
        statement.setObject(6, latest);
        statement.setInt(7, bundle.width());
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private static OffsetDateTime time(long epochMs) {
    return Instant.ofEpochMilli(epochMs).atOffset(ZoneOffset.UTC);
  }
}
