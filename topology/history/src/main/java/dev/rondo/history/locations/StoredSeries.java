package dev.rondo.history.locations;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A series in PostgreSQL.
 *
 * @param id {@code ds.id}
 * @param periods the latest first, which is the current one
 */
record StoredSeries(String ident, long id, List<LocationPeriod> periods) {
  private static final String READ =
      """
      select wanted.ident, s.ds_id, s.number, s.backfilled, s.renamed_from is not null,
             s.policy, s.seg, s.pos, s.starts_at,
             nullif(s.ends_at, 'infinity'), nullif(s.reassigned_at, 'infinity')
      from (select ident, rondo_ident(ident) as document from unnest(?::text[]) as ident offset 0) as wanted
      join ds on ds.ident = wanted.document
      join location_period as s on s.ds_id = ds.id and s.number <= ds.period
      order by s.ds_id, s.number desc
      """;

  /** Idents per statement. */
  private static final int MOST = 10_000;

  /**
   * A row of {@code location_period}.
   *
   * @param number of the period
   * @param backfilled whether a backfill made it
   * @param renamed whether the series had another name then
   */
  record LocationPeriod(int number, boolean backfilled, boolean renamed, Location location) {}

  LocationPeriod current() {
    return periods.get(0);
  }

  LocationPeriod first() {
    return periods.get(periods.size() - 1);
  }

  /** Those of these series that exist, by ident. */
  static Map<String, StoredSeries> read(Connection connection, Collection<String> idents)
      throws SQLException {
    List<String> all = List.copyOf(idents);
    var series = new HashMap<String, StoredSeries>();
    try (PreparedStatement statement = connection.prepareStatement(READ)) {
      for (int from = 0; from < all.size(); from += MOST) {
        List<String> some = all.subList(from, Math.min(all.size(), from + MOST));
        statement.setArray(1, connection.createArrayOf("text", some.toArray()));
        try (ResultSet result = statement.executeQuery()) {
          while (result.next()) {
            String ident = result.getString(1);
            long id = result.getLong(2);
            series
                .computeIfAbsent(ident, key -> new StoredSeries(ident, id, new ArrayList<>()))
                .periods()
                .add(
                    new LocationPeriod(
                        result.getInt(3),
                        result.getBoolean(4),
                        result.getBoolean(5),
                        location(result, 6)));
          }
        }
      }
    }
    return series;
  }

  /** A location from the column {@code at} on; for infinity null. */
  static Location location(ResultSet result, int at) throws SQLException {
    return new Location(
        result.getString(at),
        result.getInt(at + 1),
        result.getInt(at + 2),
        result.getTimestamp(at + 3).getTime(),
        ms(result.getTimestamp(at + 4)),
        ms(result.getTimestamp(at + 5)));
  }

  private static long ms(Timestamp time) {
    return time == null ? Long.MAX_VALUE : time.getTime();
  }
}
