package dev.rondo.connect.postgres.sql;

import dev.rondo.connect.postgres.changes.Series;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import org.postgresql.PGStatement;

/**
 * Many series as one parameter a column, for {@code unnest}: one statement and one way over the
 * wire however many there are.
 */
final class SeriesColumns {
  /**
   * Begins a statement that has a relation {@code n (ident, policy, seg, pos, valid_from)}. Who
   * looks something up in {@code ds} for each of them does it by a subquery: where many come,
   * PostgreSQL would rather read all of {@code ds} than join it by an index, each time more.
   */
  static final String WITH_NEWS =
      """
      with n as materialized (
        select ident::jsonb, policy, seg, pos, to_timestamp(valid_from_ms / 1000.0) as valid_from
        from unnest(?::text[], ?::text[], ?::int[], ?::int[], ?::bigint[])
               as n (ident, policy, seg, pos, valid_from_ms)
      )
      """;

  private SeriesColumns() {}

  /** Runs {@code sql}, which begins with {@link #WITH_NEWS}; returns how many rows it changed. */
  static int execute(Connection connection, String sql, List<Series> series) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      // Planned each time: ds grows from nothing to many under a plan that is kept.
      statement.unwrap(PGStatement.class).setPrepareThreshold(0);
      bind(connection, statement, 1, "text", series, entry -> entry.ident().json());
      bind(connection, statement, 2, "text", series, entry -> entry.place().policy());
      bind(connection, statement, 3, "int4", series, entry -> entry.place().seg());
      bind(connection, statement, 4, "int4", series, entry -> entry.place().pos());
      bind(connection, statement, 5, "int8", series, Series::validFromMs);
      return statement.executeUpdate();
    }
  }

  private static void bind(
      Connection connection,
      PreparedStatement statement,
      int parameter,
      String type,
      List<Series> series,
      Function<Series, Object> field)
      throws SQLException {
    Object[] values = series.stream().map(field).toArray();
    statement.setArray(parameter, connection.createArrayOf(type, values));
  }
}
