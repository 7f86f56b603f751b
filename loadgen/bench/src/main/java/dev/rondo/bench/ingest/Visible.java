package dev.rondo.bench.ingest;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import org.HdrHistogram.Histogram;

/**
 * Measures how long after the end of its slot a value is readable: polls all values of a few
 * segments four times a second. This includes the time until the next point, which closes a slot.
 */
final class Visible {
  private static final int SEGMENTS = 20;
  private static final long STEP_MS = 10_000;
  private static final long GIVEN_UP_MS = 60_000;

  private static final String KNOWN =
      """
      select coalesce(sum((select count(*) from unnest(dp) as v where v <> 'NaN')), 0)
      from ts
      where rra_bundle_id = (select id from rra_bundle where step_ms = ? limit 1)
        and seg = any(?) and i = (select ? % size from rra_bundle where step_ms = ? limit 1) and t = ?
      """;

  private final Connection connection;
  private final String run;
  private final Histogram histogram = new Histogram(3);
  private final Deque<Slot> open = new ArrayDeque<>();
  private Integer[] segments = {};
  private long series;
  private long nextEndMs;

  private static final class Slot {
    private final long endMs;
    private long known;

    Slot(long endMs) {
      this.endMs = endMs;
    }
  }

  /**
   * @param run of the load generator whose series must all be visible; earlier runs have ended
   */
  Visible(Connection connection, String run) {
    this.connection = connection;
    this.run = run;
  }

  /** Starts with slots that end later. */
  void begin() throws SQLException {
    try (PreparedStatement statement =
            connection.prepareStatement(
                "select seg from (select distinct seg from ds) as s order by hashint4(seg) limit "
                    + SEGMENTS);
        ResultSet result = statement.executeQuery()) {
      var found = new ArrayList<Integer>();
      while (result.next()) {
        found.add(result.getInt(1));
      }
      segments = found.toArray(new Integer[0]);
    }
    series = series();
    nextEndMs = (System.currentTimeMillis() / STEP_MS + 1) * STEP_MS;
  }

  /** Polls once. */
  void look() throws SQLException {
    if (System.currentTimeMillis() >= nextEndMs) {
      open.add(new Slot(nextEndMs));
      nextEndMs += STEP_MS;
    }
    for (Slot slot : open) {
      if (slot.known >= series) {
        continue;
      }
      long known = known(slot.endMs);
      long lateMs = System.currentTimeMillis() - slot.endMs;
      if (known > slot.known) {
        histogram.recordValueWithCount(lateMs, known - slot.known);
        slot.known = known;
      }
    }
    open.removeIf(slot -> System.currentTimeMillis() - slot.endMs > GIVEN_UP_MS);
  }

  /** Whether each ended slot is readable with the values of all series of the run. */
  boolean isComplete() {
    return open.stream().allMatch(slot -> slot.known >= series);
  }

  /** Series of the run in the polled segments. */
  private long series() throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select count(*) from ds where seg = any(?) and ident ->> 'name' like ?")) {
      statement.setArray(1, connection.createArrayOf("int4", segments));
      statement.setString(2, "load.%s.%%".formatted(run));
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        return result.getLong(1);
      }
    }
  }

  private long known(long endMs) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(KNOWN)) {
      statement.setLong(1, STEP_MS);
      statement.setArray(2, connection.createArrayOf("int4", segments));
      statement.setLong(3, endMs / STEP_MS);
      statement.setLong(4, STEP_MS);
      statement.setTimestamp(5, Timestamp.from(Instant.ofEpochMilli(endMs)));
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        return result.getLong(1);
      }
    }
  }

  /** A percentile, ms; NaN without samples. */
  double quantile(double share) {
    return histogram.getTotalCount() == 0
        ? Double.NaN
        : histogram.getValueAtPercentile(100 * share);
  }
}
