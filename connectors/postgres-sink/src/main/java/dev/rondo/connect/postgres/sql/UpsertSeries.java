package dev.rondo.connect.postgres.sql;

import dev.rondo.connect.postgres.changes.Series;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Gives series their places. */
public final class UpsertSeries {
  private static final String INTO_FREE = into("");
  private static final String INTO_EVICTED = into("and ds.valid_from > n.valid_from");

  private UpsertSeries() {}

  /** Ignores entries whose place is held by another series; false when there are any. */
  public static boolean intoFree(Connection connection, List<Series> series) throws SQLException {
    return SeriesColumns.execute(connection, INTO_FREE, series) == series.size();
  }

  /**
   * Ignores entries whose position another series holds since later, as they are stale; false when
   * there are any. A place that somebody took since {@link EvictFormerSeries} is not a reason: a
   * unique key is broken, and all is to be done again.
   */
  public static boolean intoEvicted(Connection connection, List<Series> series)
      throws SQLException {
    return SeriesColumns.execute(connection, INTO_EVICTED, series) == series.size();
  }

  private static String into(String holder) {
    return SeriesColumns.WITH_NEWS
        + """
          insert into ds (ident, policy, seg, pos, valid_from) select n.* from n
          where (
            select true from ds
            where ds.policy = n.policy and ds.seg = n.seg and ds.pos = n.pos
              and ds.ident <> n.ident %s
          ) is null
          on conflict (ident) do update
            set policy = excluded.policy, seg = excluded.seg, pos = excluded.pos,
                valid_from = excluded.valid_from
          """
            .formatted(holder);
  }
}
