package dev.rondo.connect.postgres.sql;

import dev.rondo.connect.postgres.changes.Series;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Deletes where series live that have gone elsewhere since, to a place that is somebody else's by
 * now: their entries were ignored by {@link UpsertSeries}.
 */
public final class LeaveFormerPlace {
  static final String SQL =
      SeriesColumns.WITH_NEWS
          + """
            delete from ds using n
            where ds.id = any (array(
                select (
                  select id from ds
                  where ds.ident = n.ident and ds.valid_from <= n.valid_from
                    and (ds.policy, ds.seg, ds.pos) <> (n.policy, n.seg, n.pos)
                ) from n
              ))
              and ds.ident = n.ident and ds.valid_from <= n.valid_from -- still, if it was locked
              and (ds.policy, ds.seg, ds.pos) <> (n.policy, n.seg, n.pos)
            """;

  private LeaveFormerPlace() {}

  public static void execute(Connection connection, List<Series> series) throws SQLException {
    SeriesColumns.execute(connection, SQL, series);
  }
}
