package dev.rondo.bench.ingest;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Measures how fresh the values of a few segments are: reads them four times a second.
 *
 * <pre>
 *   slot            |------- 10 s -------|
 *   points            ▲                      ▲ is due, and closes it
 *   readable                                        ▲
 *   from the slot's end                  |──────────|   what a graph lacks
 *   from the closing point                   |──────|   what Rondo takes of that
 * </pre>
 */
final class Visible {
  private static final int SEGMENTS = 20;
  private static final long STEP_MS = 10_000;
  private static final long GIVEN_UP_MS = 60_000;

  private static final String SERIES =
      """
      select seg, pos, ident::text from ds
      where seg in (select seg from (select distinct seg from ds) as s
                    order by hashint4(seg) limit ?)
        and ident ->> 'name' like ?
      """;

  private static final String ROWS =
      """
      select seg, dp from ts
      where rra_bundle_id = (select id from rra_bundle where step_ms = ? limit 1)
        and seg = any(?) and i = (select ? % size from rra_bundle where step_ms = ? limit 1) and t = ?
      """;

  private final Connection connection;
  private final String run;
  private final ClosingPoints closing;
  private final Histogram fromEnd = new Histogram(3);
  private final Histogram fromClosing = new Histogram(3);
  private final Deque<Slot> open = new ArrayDeque<>();

  /** The series at each position of each segment; positions count from 1. */
  private final Map<Integer, Map<Integer, Integer>> series = new HashMap<>();

  private int count;
  private long nextEndMs;

  /** A slot of all series, with those whose value was readable. */
  private record Slot(long endMs, BitSet known) {}

  /**
   * @param run of the load generator whose series must all be visible; earlier runs have ended
   * @param closing the points of that run
   */
  Visible(Connection connection, String run, ClosingPoints closing) {
    this.connection = connection;
    this.run = run;
    this.closing = closing;
  }

  /** Chooses the segments; all series of the run must be stored. */
  void choose() throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SERIES)) {
      statement.setInt(1, SEGMENTS);
      statement.setString(2, "load.%s.%%".formatted(run));
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          series
              .computeIfAbsent(result.getInt(1), segment -> new HashMap<>())
              .put(result.getInt(2), closing.series(result.getString(3)));
          count++;
        }
      }
    }
  }

  /** Starts with slots that end later. */
  void begin() {
    nextEndMs = (System.currentTimeMillis() / STEP_MS + 1) * STEP_MS;
  }

  /** Polls once. */
  void look() throws SQLException {
    if (System.currentTimeMillis() >= nextEndMs) {
      open.add(new Slot(nextEndMs, new BitSet()));
      nextEndMs += STEP_MS;
    }
    for (Slot slot : open) {
      if (slot.known().cardinality() < count) {
        read(slot);
      }
    }
    open.removeIf(slot -> System.currentTimeMillis() - slot.endMs() > GIVEN_UP_MS);
  }

  private void read(Slot slot) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ROWS)) {
      statement.setLong(1, STEP_MS);
      statement.setArray(2, connection.createArrayOf("int4", series.keySet().toArray()));
      statement.setLong(3, slot.endMs() / STEP_MS);
      statement.setLong(4, STEP_MS);
      statement.setTimestamp(5, Timestamp.from(Instant.ofEpochMilli(slot.endMs())));
      try (ResultSet result = statement.executeQuery()) {
        long nowMs = System.currentTimeMillis();
        while (result.next()) {
          Double[] dp = (Double[]) result.getArray(2).getArray();
          series
              .get(result.getInt(1))
              .forEach(
                  (position, n) -> {
                    if (position <= dp.length && !dp[position - 1].isNaN()) {
                      see(slot, n, nowMs);
                    }
                  });
        }
      }
    }
  }

  private void see(Slot slot, int n, long nowMs) {
    if (!slot.known().get(n)) {
      slot.known().set(n);
      fromEnd.recordValue(nowMs - slot.endMs());
      if (closing.areKnown()) {
        fromClosing.recordValue(Math.max(0, nowMs - closing.dueMs(n, slot.endMs())));
      }
    }
  }

  /** Whether each ended slot is readable with the values of all series of the run. */
  boolean isComplete() {
    return open.stream().allMatch(slot -> slot.known().cardinality() >= count);
  }

  /** A percentile of the time from the end of a slot to its value, ms; NaN without samples. */
  double fromEnd(double share) {
    return quantile(fromEnd, share);
  }

  /**
   * A percentile of the time from when the point that closes a slot is due to its value, ms; NaN
   * without samples.
   */
  double fromClosing(double share) {
    return quantile(fromClosing, share);
  }

  private static double quantile(Histogram histogram, double share) {
    return histogram.getTotalCount() == 0
        ? Double.NaN
        : histogram.getValueAtPercentile(100 * share);
  }
}
