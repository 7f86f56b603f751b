package dev.rondo.proof.model;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Stored series and slots of one policy.
 *
 * @param locations by ident
 * @param values by location, archive ("function step size") and slot end
 * @param shown number of known values in the view tv
 */
public record StoredSlots(
    Map<String, Location> locations,
    Map<Location, Map<String, Map<Long, Double>>> values,
    long shown) {
  /** Location of a series. */
  record Location(int segment, int position) {}

  private static final String SERIES =
      """
      select concat_ws(';', ident ->> 'name', (select string_agg(key || '=' || value, ';' order by key)
                                               from jsonb_each_text(ident - 'name'))), seg, pos
      from ds where policy = ?
      """;

  private static final String SLOTS =
      """
      select b.cf, b.step_ms, b.size, ts.seg, ts.i, (extract(epoch from ts.t) * 1000)::bigint, d.pos, d.r
      from ts join rra_bundle b on b.id = ts.rra_bundle_id,
           unnest(ts.dp) with ordinality as d (r, pos)
      where b.policy = ? and d.r <> 'NaN' and ts.t > '-infinity'
      """;

  /** Known values in the view tv, which hides values from before a series was created. */
  private static final long DAY_MS = 86_400_000;

  /** Of two archives with a slot, the one that was made later. */
  private static final String SHOWN_OF_ALL =
      """
      select distinct on (ds.id, b.cf, b.step_ms, tv.t)
             concat_ws(';', ident ->> 'name', (select string_agg(key || '=' || value, ';' order by key)
                                               from jsonb_each_text(ident - 'name'))),
             b.cf, b.step_ms, (extract(epoch from tv.t) * 1000)::bigint, tv.r
      from ds join tv on tv.ds_id = ds.id join rra_bundle b on b.id = tv.rra_bundle_id
      where b.policy like ? and tv.r is not null
      order by ds.id, b.cf, b.step_ms, tv.t, b.id desc
      """;

  private static final String SHOWN =
      """
      select count(*) from ds join tv on tv.ds_id = ds.id where ds.policy = ? and tv.r is not null
      """;

  public static StoredSlots read(String jdbcUrl, String policy) throws SQLException {
    try (Connection connection = DriverManager.getConnection(jdbcUrl)) {
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      connection.setAutoCommit(false);
      return new StoredSlots(
          locations(connection, policy),
          values(connection, policy),
          count(connection, SHOWN, policy));
    }
  }

  /**
   * The slots that the view tv shows of series under any policy whose name begins so, whatever the
   * size of an archive. A series has one location for the purpose of the comparison.
   */
  public static StoredSlots shown(String jdbcUrl, String policies) throws SQLException {
    Map<String, Location> locations = new HashMap<>();
    Map<Location, Map<String, Map<Long, Double>>> values = new HashMap<>();
    long shown = 0;
    try (Connection connection = DriverManager.getConnection(jdbcUrl);
        PreparedStatement statement = connection.prepareStatement(SHOWN_OF_ALL)) {
      statement.setString(1, policies + "%");
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          Location location =
              locations.computeIfAbsent(
                  rows.getString(1), ident -> new Location(0, locations.size() + 1));
          long stepMs = rows.getLong(3);
          values
              .computeIfAbsent(location, p -> new HashMap<>())
              .computeIfAbsent(
                  archive(rows.getString(2), stepMs, (int) (DAY_MS / stepMs)), a -> new TreeMap<>())
              .put(rows.getLong(4), rows.getDouble(5));
          shown++;
        }
      }
    }
    return new StoredSlots(locations, values, shown);
  }

  /** Number of known values in the table ts. */
  long known() {
    return values.values().stream()
        .flatMap(archives -> archives.values().stream())
        .mapToLong(Map::size)
        .sum();
  }

  static String archive(String function, long stepMs, int size) {
    return function + " " + stepMs + " " + size;
  }

  Map<Long, Double> values(String ident, ArchiveRule archive) {
    Location location = locations.get(ident);
    return location == null
        ? Map.of()
        : values
            .getOrDefault(location, Map.of())
            .getOrDefault(archive(archive.function(), archive.stepMs(), archive.size()), Map.of());
  }

  private static Map<String, Location> locations(Connection connection, String policy)
      throws SQLException {
    Map<String, Location> locations = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(SERIES)) {
      statement.setString(1, policy);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          locations.put(rows.getString(1), new Location(rows.getInt(2), rows.getInt(3)));
        }
      }
    }
    return locations;
  }

  private static Map<Location, Map<String, Map<Long, Double>>> values(
      Connection connection, String policy) throws SQLException {
    Map<Location, Map<String, Map<Long, Double>>> values = new HashMap<>();
    List<String> wrong = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(SLOTS)) {
      statement.setString(1, policy);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          long stepMs = rows.getLong(2);
          int size = rows.getInt(3);
          long endMs = rows.getLong(6);
          if (endMs % stepMs != 0 || endMs / stepMs % size != rows.getInt(5)) {
            wrong.add(
                "i = %d, t = %d, step %d x %d".formatted(rows.getInt(5), endMs, stepMs, size));
          }
          values
              .computeIfAbsent(new Location(rows.getInt(4), rows.getInt(7)), p -> new HashMap<>())
              .computeIfAbsent(archive(rows.getString(1), stepMs, size), a -> new TreeMap<>())
              .put(endMs, rows.getDouble(8));
        }
      }
    }
    if (!wrong.isEmpty()) {
      throw new IllegalStateException("rows whose index is not that of their time: " + wrong);
    }
    return values;
  }

  private static long count(Connection connection, String sql, String policy) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, policy);
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        return rows.getLong(1);
      }
    }
  }
}
