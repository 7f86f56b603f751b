package dev.rondo.schemas;

import dev.rondo.embedded.PostgresServer;
import dev.rondo.embedded.TemporaryFolder;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A real PostgreSQL with the migrations of the class path; every test begins with empty tables. */
final class ArchiveDatabase implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {
  private TemporaryFolder folder;
  private PostgresServer server;
  private Connection connection;

  @Override
  public void beforeAll(ExtensionContext context) throws SQLException, IOException {
    folder = TemporaryFolder.create("rondo-archive-database-");
    server = PostgresServer.start(folder.path(), 0);
    Flyway.configure()
        .dataSource(server.jdbcUrl(), null, null)
        .locations("classpath:dev/rondo/schemas/sql")
        .load()
        .migrate();
    connection = DriverManager.getConnection(server.jdbcUrl());
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    execute("truncate ts, ds, rra_bundle restart identity");
  }

  @Override
  public void afterAll(ExtensionContext context) throws SQLException, IOException {
    try {
      if (connection != null) {
        connection.close();
      }
    } finally {
      if (server != null) {
        server.close();
      }
      folder.close();
    }
  }

  /** Runs a statement that gives no rows. */
  void execute(String sql, Object... parameters) {
    try (PreparedStatement statement = prepared(sql, parameters)) {
      statement.execute();
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** Rows of a query, each as a list of its columns. */
  List<List<Object>> query(String sql, Object... parameters) {
    try (PreparedStatement statement = prepared(sql, parameters);
        ResultSet result = statement.executeQuery()) {
      var rows = new ArrayList<List<Object>>();
      while (result.next()) {
        var row = new ArrayList<Object>();
        for (int k = 1; k <= result.getMetaData().getColumnCount(); k++) {
          row.add(result.getObject(k));
        }
        rows.add(row);
      }
      return rows;
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** The only column of the only row. */
  Object value(String sql, Object... parameters) {
    List<List<Object>> rows = query(sql, parameters);
    if (rows.size() != 1 || rows.get(0).size() != 1) {
      throw new IllegalStateException("not one value: " + rows + " of " + sql);
    }
    return rows.get(0).get(0);
  }

  /** The plan of a query, as text. */
  String plan(String sql, Object... parameters) {
    var lines = new ArrayList<String>();
    query("explain " + sql, parameters).forEach(row -> lines.add(row.get(0).toString()));
    return String.join("\n", lines);
  }

  /** Adds a bundle of wmean archives, 200 wide, xff 0.5. */
  int addBundle(String policy, long stepMs, int size) {
    return (Integer)
        value(
            "insert into rra_bundle (policy, cf, step_ms, size, width, xff)"
                + " values (?, 'wmean', ?, ?, 200, 0.5) returning id",
            policy,
            stepMs,
            size);
  }

  /** Adds a series with a name and no tags. */
  long addSeries(String name, String policy, int seg, int pos, long validFromMs) {
    return (Long)
        value(
            "insert into ds (ident, policy, seg, pos, valid_from)"
                + " values (jsonb_build_object('name', ?::text), ?, ?, ?, to_timestamp(? / 1000.0))"
                + " returning id",
            name,
            policy,
            seg,
            pos,
            validFromMs);
  }

  /** Adds the row of the slot that ends at {@code endMs}. */
  void addRow(int bundle, int seg, long endMs, Double... dp) {
    execute(
        "insert into ts (rra_bundle_id, seg, i, t, dp)"
            + " select id, ?, (? / step_ms) % size, to_timestamp(? / 1000.0), ?"
            + " from rra_bundle where id = ?",
        seg, endMs, endMs, dp, bundle);
  }

  private PreparedStatement prepared(String sql, Object... parameters) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int k = 0; k < parameters.length; k++) {
      if (parameters[k] instanceof Double[] values) {
        statement.setArray(k + 1, connection.createArrayOf("float8", values));
      } else {
        statement.setObject(k + 1, parameters[k]);
      }
    }
    return statement;
  }
}
