package dev.rondo.connect.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Deletes who held the places before, unless born later than who comes. */
final class EvictFormerSeries {
  static final String SQL =
      "delete from ds using "
          + SeriesColumns.UNNEST
          + """
            where ds.policy = n.policy and ds.seg = n.seg and ds.pos = n.pos
              and ds.ident <> n.ident and ds.born <= n.born
            """;

  private EvictFormerSeries() {}

  static void execute(Connection connection, List<Series> series) throws SQLException {
    SeriesColumns.execute(connection, SQL, series);
  }
}
