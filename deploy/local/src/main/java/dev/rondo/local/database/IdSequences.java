package dev.rondo.local.database;

import dev.rondo.connection.postgres.PostgresUrl;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Advances sequences of ids: logical replication copies rows, but not sequences. */
public final class IdSequences {
  private IdSequences() {}

  /**
   * Advances the sequences beyond the highest ids.
   *
   * @return the tables whose sequence was too low
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
