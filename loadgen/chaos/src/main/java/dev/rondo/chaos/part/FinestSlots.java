package dev.rondo.chaos.part;

import dev.rondo.connection.postgres.PostgresUrl;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The slots that have ended since this was opened, in the finest archive of the newest segment of
 * each policy and partition: the series of earlier loads are silent. Not for policies that change.
 */
public final class FinestSlots implements AutoCloseable {
  private static final long CHOOSE_EVERY_MS = 10_000;

  /** The oldest slots are given up, so that a look stays short. */
  private static final int MOST_AWAITED = 200;

  private static final String SEGMENTS =
      """
      select distinct on (archive.policy, place.seg >> 16)
             archive.id, place.seg, archive.step_ms, archive.size
      from (select distinct policy, seg from ds) as place
      join (select distinct on (policy) * from rra_bundle order by policy, step_ms, id) as archive
        on archive.policy = place.policy
      order by archive.policy, place.seg >> 16, place.seg desc
      """;

  private static final String ARRIVED =
      """
      select n from unnest(?::int[], ?::int[], ?::int[], ?::timestamptz[])
        with ordinality as awaited (bundle, seg, i, t, n)
      join ts on ts.rra_bundle_id = awaited.bundle and ts.seg = awaited.seg and ts.i = awaited.i
      where ts.t = awaited.t
      """;

  private final PostgresUrl url;
  private final Map<Segment, Long> newest = new LinkedHashMap<>();
  private List<Slot> awaited = new ArrayList<>();
  private long chosenMs;
  private Connection connection;

  private record Segment(int bundle, int seg, long stepMs, int size) {}

  private record Slot(Segment segment, long endMs) {
    int index() {
      return (int) (endMs / segment.stepMs() % segment.size());
    }
  }

  public FinestSlots(PostgresUrl url) {
    this.url = url;
  }

  /**
   * Returns for each slot that has a row since the last call how long ago it ended, ms.
   *
   * @param nowMs the time, epoch ms
   */
  public List<Long> arrived(long nowMs) throws SQLException {
    if (connection == null) {
      connection = url.connect("rondo-chaos");
    }
    if (nowMs - chosenMs > CHOOSE_EVERY_MS) {
      choose(nowMs);
      chosenMs = nowMs;
    }
    newest.replaceAll((segment, endMs) -> await(segment, endMs, nowMs));
    int most = MOST_AWAITED * newest.size();
    if (awaited.size() > most) {
      awaited = new ArrayList<>(awaited.subList(awaited.size() - most, awaited.size()));
    }
    return read(nowMs);
  }

  private void choose(long nowMs) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SEGMENTS);
        ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        var segment =
            new Segment(result.getInt(1), result.getInt(2), result.getLong(3), result.getInt(4));
        newest.putIfAbsent(segment, nowMs / segment.stepMs() * segment.stepMs());
      }
    }
  }

  private long await(Segment segment, long afterMs, long nowMs) {
    long endMs = afterMs;
    while (endMs + segment.stepMs() <= nowMs) {
      endMs += segment.stepMs();
      awaited.add(new Slot(segment, endMs));
    }
    return endMs;
  }

  private List<Long> read(long nowMs) throws SQLException {
    List<Long> delays = new ArrayList<>();
    var left = new TreeMap<Integer, Slot>();
    for (Slot slot : awaited) {
      left.put(left.size() + 1, slot);
    }
    try (PreparedStatement statement = connection.prepareStatement(ARRIVED)) {
      statement.setArray(1, array("int4", awaited.stream().map(slot -> slot.segment().bundle())));
      statement.setArray(2, array("int4", awaited.stream().map(slot -> slot.segment().seg())));
      statement.setArray(3, array("int4", awaited.stream().map(Slot::index)));
      statement.setArray(
          4, array("timestamptz", awaited.stream().map(s -> new Timestamp(s.endMs()))));
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          delays.add(nowMs - left.remove(result.getInt(1)).endMs());
        }
      }
    }
    awaited = new ArrayList<>(left.values());
    return delays;
  }

  private Array array(String type, Stream<?> values) throws SQLException {
    return connection.createArrayOf(type, values.toArray());
  }

  /** Closes the session; the next look opens another one. */
  @Override
  public void close() {
    if (connection != null) {
      try {
        connection.close();
      } catch (SQLException e) {
        // it was broken already
      }
      connection = null;
    }
  }
}
