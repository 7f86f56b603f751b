package dev.rondo.bench.ingest;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * Counts the series with a readable value: per segment the largest number of known values in a row.
 * It reads rows by key, and a full segment only once, so that the measurement costs little.
 */
final class ReadableSeries {
  private static final long STEP_MS = 10_000;

  /** Forces index lookups: statistics of tables that were just empty are misleading. */
  private static final String BY_KEY = "set enable_seqscan = off; set enable_bitmapscan = off";

  /** Segments, and the largest number of known values in a slot. */
  private static final String KNOWN =
      """
      select seg, max(cardinality(dp) - cardinality(array_positions(dp, 'NaN'))), max(width)
      from rra_bundle
      join ts on rra_bundle_id = rra_bundle.id
      where step_ms = ? and i = any(?) and t >= ? and seg <> all(?)
      group by seg
      """;

  private static final String NAMED = "select count(*) from ds";

  private static final String SIZE = "select size from rra_bundle where step_ms = ?";

  private final Connection connection;
  private final long startMs;

  /** Series per full segment, and per segment that may still fill. */
  private final Map<Integer, Integer> full = new HashMap<>();

  private final Map<Integer, Integer> filling = new HashMap<>();

  /** Counts in slots that end after {@code startMs}, epoch ms. */
  ReadableSeries(Connection connection, long startMs) throws SQLException {
    this.connection = connection;
    this.startMs = startMs;
    try (Statement statement = connection.createStatement()) {
      statement.execute(BY_KEY);
    }
  }

  /** Counts once; a series without a name is not readable. */
  long look() throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(KNOWN)) {
      statement.setLong(1, STEP_MS);
      statement.setArray(2, connection.createArrayOf("int4", slots()));
      statement.setTimestamp(3, new Timestamp(startMs));
      statement.setArray(4, connection.createArrayOf("int4", full.keySet().toArray()));
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          count(result.getInt(1), result.getInt(2), result.getInt(3));
        }
      }
    }
    long known = sum(full) + sum(filling);
    return known == 0 ? 0 : Math.min(known, named()); // counting names is slow
  }

  private long named() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(NAMED)) {
      result.next();
      return result.getLong(1);
    }
  }

  private void count(int segment, int known, int width) {
    if (known == width) {
      full.put(segment, known);
      filling.remove(segment);
    } else {
      filling.put(segment, known);
    }
  }

  /**
   * Indexes of the slots from the start to the one that is open; none before there is an archive.
   */
  private Object[] slots() throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SIZE)) {
      statement.setLong(1, STEP_MS);
      try (ResultSet result = statement.executeQuery()) {
        if (!result.next()) {
          return new Object[0];
        }
        int size = result.getInt(1);
        long open = System.currentTimeMillis() / STEP_MS + 1;
        return LongStream.rangeClosed(startMs / STEP_MS, open)
            .mapToObj(slot -> (int) (slot % size))
            .toArray();
      }
    }
  }

  private static long sum(Map<Integer, Integer> known) {
    return known.values().stream().mapToLong(Integer::longValue).sum();
  }
}
