package dev.rondo.connect.postgres.sql;

import dev.rondo.connect.postgres.changes.Series;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import org.postgresql.PGStatement;

/**
 * Binds many series as one array parameter per column, for {@code unnest}: one statement and one
 * round trip for any number of them.
 */
final class SeriesColumns {
  /**
   * Begins a statement with a relation {@code n (ident, policy, seg, pos, starts_at, source)}.
   * Statements look up {@code ds} for each entry by a subquery: with many entries PostgreSQL would
   * read all of {@code ds} instead of joining it by an index, and {@code ds} grows.
   */
  static final String WITH_ENTRIES =
      """
      with n as materialized (
        select ident::jsonb, policy, seg, pos, to_timestamp(starts_at_ms / 1000.0) as starts_at,
               nullif(source, '') as source
        from unnest(?::text[], ?::text[], ?::int[], ?::int[], ?::bigint[], ?::text[])
               as n (ident, policy, seg, pos, starts_at_ms, source)
      )
      """;

  private SeriesColumns() {}

  /**
   * Runs {@code sql}, which begins with {@link #WITH_ENTRIES}; returns how many rows it changed.
   */
  static int execute(Connection connection, String sql, List<Series> series) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      // Planned each time: a cached plan would be one for an empty ds.
      statement.unwrap(PGStatement.class).setPrepareThreshold(0);
      bind(connection, statement, 1, "text", series, entry -> entry.ident().json());
      bind(connection, statement, 2, "text", series, entry -> entry.location().policy());
      bind(connection, statement, 3, "int4", series, entry -> entry.location().seg());
      bind(connection, statement, 4, "int4", series, entry -> entry.location().pos());
      bind(connection, statement, 5, "int8", series, Series::startsAtMs);
      bind(connection, statement, 6, "text", series, Series::source);
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
