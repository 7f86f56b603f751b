package dev.rondo.connect.postgres.sql;

import dev.rondo.connect.postgres.changes.Series;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Deletes the previous location of series whose new location belongs to a newer series by now:
 * {@link UpsertSeries} skipped their entries.
 */
public final class DeletePreviousLocation {
  static final String SQL =
      SeriesColumns.WITH_ENTRIES
          + """
            delete from ds using n
            where ds.id = any (array(
                select (
                  select id from ds
                  where ds.ident = n.ident and ds.starts_at <= n.starts_at
                    and (ds.policy, ds.seg, ds.pos) <> (n.policy, n.seg, n.pos)
                ) from n
              ))
              and ds.ident = n.ident and ds.starts_at <= n.starts_at -- still, if it was locked
              and (ds.policy, ds.seg, ds.pos) <> (n.policy, n.seg, n.pos)
            """;

  private DeletePreviousLocation() {}

  public static void execute(Connection connection, List<Series> series) throws SQLException {
    SeriesColumns.execute(connection, SQL, series);
  }
}
