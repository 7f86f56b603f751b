package dev.rondo.connect.postgres.harness;

import dev.rondo.connect.postgres.changes.Change;
import dev.rondo.connect.postgres.changes.Ident;
import dev.rondo.connect.postgres.changes.Renaming;
import dev.rondo.connect.postgres.changes.Retirement;
import dev.rondo.connect.postgres.changes.RowChange;
import dev.rondo.connect.postgres.changes.Series;
import dev.rondo.rows.Row;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Sends the statements that other JDBC sinks send in upsert mode for records of Rondo's topics, in
 * the same batches and transactions.
 */
public final class GenericSink implements AutoCloseable {
  private static final List<String> ROW_KEY =
      List.of("policy", "cf", "step_ms", "size", "seg", "i");
  private static final List<String> ROW_VALUE =
      List.of("width", "xff", "whisper", "aggregate", "t", "dp");
  private static final List<String> SERIES_KEY = List.of("ident");
  private static final List<String> SERIES_VALUE =
      List.of("policy", "seg", "pos", "starts_at", "source", "renamed_to", "renamed_at");

  /** The sink whose statements are sent. */
  public enum Dialect {
    CONFLUENT {
      @Override
      void bindArray(PreparedStatement statement, int index, double[] values) throws SQLException {
        statement.setObject(
            index, Arrays.stream(values).boxed().toArray(Double[]::new), Types.ARRAY);
      }
    },
    AIVEN {
      @Override
      void bindArray(PreparedStatement statement, int index, double[] values) throws SQLException {
        statement.setObject(index, values, Types.ARRAY);
      }
    },
    DEBEZIUM {
      @Override
      String table(String name) {
        return "\"public\"." + super.table(name);
      }

      @Override
      void bindArray(PreparedStatement statement, int index, double[] values) throws SQLException {
        Object[] boxed = Arrays.stream(values).boxed().toArray();
        statement.setArray(index, statement.getConnection().createArrayOf("float8", boxed));
      }
    };

    String table(String name) {
      return quoted(name);
    }

    abstract void bindArray(PreparedStatement statement, int index, double[] values)
        throws SQLException;
  }

  private final Dialect dialect;
  private final Connection connection;

  public GenericSink(TestDatabase database, Dialect dialect, boolean reWriteBatchedInserts)
      throws SQLException {
    this(
        DriverManager.getConnection(
            database.jdbcUrl() + "&reWriteBatchedInserts=" + reWriteBatchedInserts),
        dialect);
  }

  /** Closes {@code connection} with itself. */
  public GenericSink(Connection connection, Dialect dialect) throws SQLException {
    this.dialect = dialect;
    this.connection = connection;
    connection.setAutoCommit(false);
  }

  /** Writes one transaction; a batch ends where the statement changes. Keys may repeat. */
  public void write(List<? extends Change> changes) throws SQLException {
    int from = 0;
    for (int to = 1; to <= changes.size(); to++) {
      if (to == changes.size() || changes.get(to).getClass() != changes.get(from).getClass()) {
        try (var statement = connection.prepareStatement(sql(changes.get(from)))) {
          for (Change change : changes.subList(from, to)) {
            bind(statement, change);
            statement.addBatch();
          }
          statement.executeBatch();
        } catch (SQLException e) {
          connection.rollback();
          throw e;
        }
        from = to;
      }
    }
    connection.commit();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }

  private String sql(Change change) {
    if (change instanceof RowChange) {
      return upsert("bundle_row", ROW_KEY, ROW_VALUE);
    }
    return change instanceof Series || change instanceof Renaming
        ? upsert("series", SERIES_KEY, SERIES_VALUE)
        : "DELETE FROM " + dialect.table("series") + " WHERE \"ident\" = ?";
  }

  private String upsert(String table, List<String> key, List<String> value) {
    String keys = columns(key);
    return "INSERT INTO %s (%s,%s) VALUES (%s) ON CONFLICT (%s) DO UPDATE SET %s"
        .formatted(
            dialect.table(table),
            keys,
            columns(value),
            String.join(",", Collections.nCopies(key.size() + value.size(), "?")),
            keys,
            String.join(
                ",",
                value.stream().map(each -> quoted(each) + "=EXCLUDED." + quoted(each)).toList()));
  }

  private static String columns(List<String> names) {
    return String.join(",", names.stream().map(GenericSink::quoted).toList());
  }

  private static String quoted(String name) {
    return '"' + name + '"';
  }

  private void bind(PreparedStatement statement, Change change) throws SQLException {
    if (change instanceof RowChange each) {
      Row row = each.row();
      statement.setString(1, row.key().bundle().policy());
      statement.setString(2, row.key().bundle().cf());
      statement.setLong(3, row.key().bundle().stepMs());
      statement.setInt(4, row.key().bundle().size());
      statement.setInt(5, row.key().seg());
      statement.setInt(6, row.key().i());
      statement.setInt(7, row.width());
      statement.setDouble(8, each.properties().xff());
      statement.setBoolean(9, each.properties().whisper());
      statement.setString(10, each.properties().aggregate());
      statement.setLong(11, row.endMs());
      dialect.bindArray(statement, 12, row.dp());
    } else if (change instanceof Series series) {
      bind(statement, series, "", 0);
    } else if (change instanceof Renaming renaming) {
      bind(statement, renaming.series(), canonical(renaming.to()), renaming.atMs());
    } else if (change instanceof Retirement retirement) {
      statement.setString(1, canonical(retirement.ident()));
    }
  }

  private static void bind(PreparedStatement statement, Series series, String to, long atMs)
      throws SQLException {
    statement.setString(1, canonical(series.ident()));
    statement.setString(2, series.location().policy());
    statement.setInt(3, series.location().seg());
    statement.setInt(4, series.location().pos());
    statement.setLong(5, series.startsAtMs());
    statement.setString(6, series.source());
    statement.setString(7, to);
    statement.setLong(8, atMs);
  }

  /** Text of an ident whose name and tags hold nothing that JSON escapes. */
  public static String canonical(Ident ident) {
    String inside = ident.json().substring("{\"name\":\"".length(), ident.json().length() - 2);
    return inside.replace("\",\"", ";").replace("\":\"", "=");
  }
}
