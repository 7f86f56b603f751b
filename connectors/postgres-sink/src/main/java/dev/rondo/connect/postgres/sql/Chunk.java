package dev.rondo.connect.postgres.sql;

import dev.rondo.rows.Bundle;
import dev.rondo.rows.Capacities;
import dev.rondo.rows.Row;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * A range of slot indexes of one segment in one bundle. Its rows are preallocated together and grow
 * together, so they lie side by side.
 *
 * @param bundle id
 * @param first index
 * @param last index, inclusive
 * @param capacity length of {@code dp}
 */
public record Chunk(int bundle, int seg, int first, int last, int capacity) {
  /** Approximate maximum of rows per statement. */
  private static final int ROWS = 10_000;

  private record Key(int bundle, int seg, int first) {}

  /** A relation {@code c (bundle, seg, first, last, capacity, n)}; n numbers the chunks from 1. */
  static final String UNNEST =
      """
      unnest((select ?::int[]), (select ?::int[]), (select ?::int[]), (select ?::int[]),
             (select ?::int[]))
        with ordinality as c (bundle, seg, first, last, capacity, n)
      """;

  /**
   * Returns the chunks of {@code rows}, in the order of the rows.
   *
   * @param slots per chunk, counted from index 0 of the archive; its last chunk may be shorter
   */
  public static List<Chunk> of(
      Collection<Row> rows, Map<Bundle, Integer> ids, int slots, Capacities capacities) {
    var chunks = new LinkedHashMap<Key, Chunk>();
    for (Row row : rows) {
      int bundle = ids.get(row.key().bundle());
      int first = row.key().i() / slots * slots;
      int last = (int) Math.min((long) first + slots, row.key().bundle().size()) - 1;
      chunks.merge(
          new Key(bundle, row.key().seg(), first),
          new Chunk(bundle, row.key().seg(), first, last, capacities.of(row)),
          (a, b) -> a.capacity >= b.capacity ? a : b);
    }
    return new ArrayList<>(chunks.values());
  }

  /**
   * Runs {@code sql}, which contains {@link #UNNEST} once, for a limited number of rows at a time:
   * the socket timeout applies to each statement.
   */
  static void execute(Connection connection, String sql, List<Chunk> chunks) throws SQLException {
    int from = 0;
    while (from < chunks.size()) {
      int to = from;
      int rows = 0;
      while (to < chunks.size() && rows < ROWS) {
        rows += chunks.get(to).last - chunks.get(to).first + 1;
        to++;
      }
      executeOnce(connection, sql, chunks.subList(from, to));
      from = to;
    }
  }

  private static void executeOnce(Connection connection, String sql, List<Chunk> chunks)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, column(chunks, Chunk::bundle));
      statement.setObject(2, column(chunks, Chunk::seg));
      statement.setObject(3, column(chunks, Chunk::first));
      statement.setObject(4, column(chunks, Chunk::last));
      statement.setObject(5, column(chunks, Chunk::capacity));
      statement.executeUpdate();
    }
  }

  private static int[] column(List<Chunk> chunks, ToIntFunction<Chunk> field) {
    return chunks.stream().mapToInt(field).toArray();
  }
}
