package dev.rondo.schemas;

import dev.rondo.testbed.TestBed;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A migrated database, whose tables are emptied before each test or shared by a class. */
final class ArchiveDatabase implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {
  private static final String HOLDS_ROWS =
      "select exists (select from ts) or exists (select from ds) or exists (select from rra_bundle)";

  private final boolean keepsRows;
  private Connection connection;

  private ArchiveDatabase(boolean keepsRows) {
    this.keepsRows = keepsRows;
  }

  /** Every test starts with empty tables. */
  static ArchiveDatabase empty() {
    return new ArchiveDatabase(false);
  }

  /** The tests of the class share its rows. */
  static ArchiveDatabase kept() {
    return new ArchiveDatabase(true);
  }

  @Override
  public void beforeAll(ExtensionContext context) throws SQLException {
    connection = TestBed.database().connect();
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    if (!keepsRows && (Boolean) value(HOLDS_ROWS)) {
      execute("truncate ts, ds, rra_bundle restart identity");
    }
  }

  @Override
  public void afterAll(ExtensionContext context) throws SQLException {
    connection.close();
  }

  /** Runs a statement that returns no rows. */
  void execute(String sql, Object... parameters) {
    try (PreparedStatement statement = prepared(sql, parameters)) {
      statement.execute();
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** Returns the rows of a query, each as a list of its columns. */
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

  /** Returns the only column of the only row. */
  Object value(String sql, Object... parameters) {
    List<List<Object>> rows = query(sql, parameters);
    if (rows.size() != 1 || rows.get(0).size() != 1) {
      throw new IllegalStateException("not one value: " + rows + " of " + sql);
    }
    return rows.get(0).get(0);
  }

  /** Returns the plan of a query, as text. */
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
  long addSeries(String name, String policy, int seg, int pos, long startsAtMs) {
    return (Long)
        value(
            "insert into ds (ident, policy, seg, pos, starts_at)"
                + " values (jsonb_build_object('name', ?::text), ?, ?, ?, to_timestamp(? / 1000.0))"
                + " returning id",
            name,
            policy,
            seg,
            pos,
            startsAtMs);
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
