package dev.rondo.connect.postgres.sql;

import dev.rondo.connect.postgres.changes.Retirement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Deletes retired series. Their values stay in the rows but are no longer visible. */
public final class RetireSeries {
  static final String SQL = "delete from ds where ident = any (?::jsonb[])";

  private RetireSeries() {}

  public static void execute(Connection connection, List<Retirement> retirements)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      Object[] idents = retirements.stream().map(gone -> gone.ident().json()).toArray();
      statement.setArray(1, connection.createArrayOf("text", idents));
      statement.executeUpdate();
    }
  }
}
