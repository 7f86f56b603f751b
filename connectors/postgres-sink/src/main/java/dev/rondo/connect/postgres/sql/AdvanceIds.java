package dev.rondo.connect.postgres.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Makes the sequences of all tables continue after the highest id that is taken. */
public final class AdvanceIds {
  private AdvanceIds() {}

  public static void execute(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("select rondo_advance_ids()");
    }
  }
}
