package dev.rondo.connect.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Gives series their places. An entry whose place is held by another series is ignored: what is
 * still held after {@link EvictFormerSeries} belongs to one born later, and the entry is stale.
 */
final class UpsertSeries {
  static final String SQL =
      SeriesColumns.WITH_NEWS
          + """
            insert into ds (ident, policy, seg, pos, born) select n.* from n
            where (
              select true from ds
              where ds.policy = n.policy and ds.seg = n.seg and ds.pos = n.pos
                and ds.ident <> n.ident
            ) is null
            on conflict (ident) do update
              set policy = excluded.policy, seg = excluded.seg, pos = excluded.pos,
                  born = excluded.born
            """;

  private UpsertSeries() {}

  /** Returns how many have their places; the others are ignored. */
  static int execute(Connection connection, List<Series> series) throws SQLException {
    return SeriesColumns.execute(connection, SQL, series);
  }
}
