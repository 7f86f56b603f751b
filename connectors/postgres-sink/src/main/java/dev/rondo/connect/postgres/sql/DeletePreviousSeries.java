package dev.rondo.connect.postgres.sql;

import dev.rondo.connect.postgres.changes.Series;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Deletes the previous series at the locations of new entries, unless they are newer. */
public final class DeletePreviousSeries {
  static final String SQL =
      SeriesColumns.WITH_ENTRIES
          + """
            delete from ds using n
            where ds.id = any (array(
                select (
                  select id from ds
                  where ds.policy = n.policy and ds.seg = n.seg and ds.pos = n.pos
                    and ds.ident <> n.ident and ds.starts_at <= n.starts_at
                ) from n
              ))
              and ds.policy = n.policy and ds.seg = n.seg and ds.pos = n.pos -- still, if it was locked
              and ds.ident <> n.ident and ds.starts_at <= n.starts_at
            """;

  private DeletePreviousSeries() {}

  public static void execute(Connection connection, List<Series> series) throws SQLException {
    SeriesColumns.execute(connection, SQL, series);
  }
}
