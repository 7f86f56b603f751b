package dev.rondo.connect.postgres.sql;

import dev.rondo.connect.postgres.changes.Renaming;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Gives the history of series to those that they are renamed to, one after the other. */
public final class RenameSeries {
  static final String SQL =
      """
      select rondo_rename_series(
        ?::jsonb, to_timestamp(?::bigint / 1000.0), ?::jsonb, to_timestamp(?::bigint / 1000.0))
      """;

  private RenameSeries() {}

  public static void execute(Connection connection, List<Renaming> renamings) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      for (Renaming renaming : renamings) {
        statement.setString(1, renaming.series().ident().json());
        statement.setLong(2, renaming.series().startsAtMs());
        statement.setString(3, renaming.to().json());
        statement.setLong(4, renaming.atMs());
        statement.execute();
      }
    }
  }
}
