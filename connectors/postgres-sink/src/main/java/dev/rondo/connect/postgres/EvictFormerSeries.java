package dev.rondo.connect.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Deletes who held the places before, and where the series themselves lived before, unless born
 * later than who comes.
 */
final class EvictFormerSeries {
  static final String SQL =
      "with n as (select * from "
          + SeriesColumns.UNNEST
          + """
            )
            delete from ds
            where id in (
              select ds.id from ds join n using (policy, seg, pos)
              where ds.ident <> n.ident and ds.born <= n.born
              union all
              select ds.id from ds join n using (ident)
              where (ds.policy, ds.seg, ds.pos) <> (n.policy, n.seg, n.pos) and ds.born <= n.born)
            """;

  private EvictFormerSeries() {}

  static void execute(Connection connection, List<Series> series) throws SQLException {
    SeriesColumns.execute(connection, SQL, series);
  }
}
