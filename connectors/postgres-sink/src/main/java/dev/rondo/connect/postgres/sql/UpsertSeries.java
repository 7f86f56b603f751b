package dev.rondo.connect.postgres.sql;

import dev.rondo.connect.postgres.changes.Series;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Inserts series or moves them to their locations. */
public final class UpsertSeries {
  private static final String INTO_FREE = into("");
  private static final String INTO_FREED = into("and ds.starts_at > n.starts_at");

  private UpsertSeries() {}

  /** Skips entries whose location belongs to another series; returns false if there are any. */
  public static boolean intoFree(Connection connection, List<Series> series) throws SQLException {
    return SeriesColumns.execute(connection, INTO_FREE, series) == series.size();
  }

  /**
   * Skips stale entries, whose location belongs to a newer series; returns false if there are any.
   * If another task took a location since {@link DeletePreviousSeries}, the statement fails with a
   * unique violation and the put is retried.
   */
  public static boolean intoFreed(Connection connection, List<Series> series) throws SQLException {
    return SeriesColumns.execute(connection, INTO_FREED, series) == series.size();
  }

  private static String into(String holder) {
    return SeriesColumns.WITH_ENTRIES
        + """
          insert into ds (ident, policy, seg, pos, starts_at, source) select n.* from n
          where (
            select true from ds
            where ds.policy = n.policy and ds.seg = n.seg and ds.pos = n.pos
              and ds.ident <> n.ident %s
          ) is null
          on conflict (ident) do update
            set policy = excluded.policy, seg = excluded.seg, pos = excluded.pos,
                starts_at = excluded.starts_at, source = excluded.source
          """
            .formatted(holder);
  }
}
