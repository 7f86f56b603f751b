package dev.rondo.bench.postgres.server;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A session with SQL and results as text. */
public final class Sql implements AutoCloseable {
  private final Connection connection;

  Sql(Connection connection) {
    this.connection = connection;
  }

  public void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** All rows, with values as psql shows them; null for null. */
  public List<List<String>> rows(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      int columns = result.getMetaData().getColumnCount();
      var rows = new ArrayList<List<String>>();
      while (result.next()) {
        var row = new ArrayList<String>(columns);
        for (int c = 1; c <= columns; c++) {
          row.add(result.getString(c));
        }
        rows.add(row);
      }
      return rows;
    }
  }

  /** The single value of a query. */
  public String text(String sql) throws SQLException {
    List<List<String>> rows = rows(sql);
    if (rows.size() != 1) {
      throw new IllegalStateException(rows.size() + " rows: " + sql);
    }
    return rows.get(0).get(0);
  }

  public long number(String sql) throws SQLException {
    return Long.parseLong(text(sql));
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
