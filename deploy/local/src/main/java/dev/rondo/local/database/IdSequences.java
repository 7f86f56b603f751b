package dev.rondo.local.database;

import dev.rondo.connection.postgres.PostgresUrl;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The sequences that give ids: a switch by logical replication copies rows, but not these. */
public final class IdSequences {
  private IdSequences() {}

  /**
   * Makes them continue after the highest ids.
   *
   * @return the tables whose sequence stood too low
   */
  public static List<String> advance(PostgresUrl postgres) {
    try (var connection = postgres.connect("rondo-migrate");
        var statement = connection.createStatement();
        var tables = statement.executeQuery("select rondo_advance_ids()")) {
      var advanced = new ArrayList<String>();
      while (tables.next()) {
        advanced.add(tables.getString(1));
      }
      return advanced;
    } catch (SQLException e) {
      throw new MigrationErrors(postgres).of(e);
    }
  }
}
