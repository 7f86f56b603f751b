package dev.rondo.connect.postgres.sql;

import dev.rondo.connect.postgres.changes.Retirement;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * Deletes retired series with their history. Their values stay in the rows but are no longer
 * visible.
 */
public final class RetireSeries {
  static final String SERIES = "delete from ds where ident = any (?::jsonb[])";

  /** A trigger on {@code ds} has kept the stays, in case the series had only been displaced. */
  static final String STAYS =
      "delete from location_period where displaced_ident = any (?::jsonb[])";

  private RetireSeries() {}

  public static void execute(Connection connection, List<Retirement> retirements)
      throws SQLException {
    Object[] idents = retirements.stream().map(gone -> gone.ident().json()).toArray();
    Array array = connection.createArrayOf("text", idents);
    delete(connection, SERIES, array);
    delete(connection, STAYS, array);
  }

  private static void delete(Connection connection, String sql, Array idents) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setArray(1, idents);
      statement.executeUpdate();
    }
  }
}
