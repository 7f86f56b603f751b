package dev.rondo.history.locations;

import dev.rondo.history.slots.SlotSession;
import dev.rondo.rows.WriteMode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Makes periods for slots of the past at the locations where series live, segment by segment. */
final class PeriodExtension {
  private static final String OTHERS =
      """
      select ds_id, policy, seg, pos, starts_at, ends_at, nullif(reassigned_at, 'infinity')
      from location_period
      where policy = ? and seg = ? and ends_at < 'infinity'
      """;

  private static final String UNCHANGED =
      """
      select ds.id
      from ds join unnest(?::bigint[], ?::integer[], ?::timestamptz[]) as was (id, period, starts_at)
        on was.id = ds.id and was.period = ds.period and was.starts_at = ds.starts_at
      order by ds.id
      for no key update of ds
      """;

  private static final String EXTENSIONS =
      """
       from unnest(?::bigint[], ?::integer[], ?::timestamptz[], ?::timestamptz[], ?::timestamptz[])
         as e (id, number, since, until, taken)
      """;

  /** Renumbers the periods from the next one on, in two steps: a key is never there twice. */
  private static final String[] MAKE = {
    "update location_period as s set number = -1 - s.number"
        + EXTENSIONS
        + "where s.ds_id = e.id and s.number >= e.number",
    "update location_period as s set number = -s.number,"
        + " fill = case when s.number = -1 then coalesce(s.fill, 'none') else s.fill end"
        + EXTENSIONS
        + "where s.ds_id = e.id and s.number < 0",
    "insert into location_period"
        + " (ds_id, number, policy, seg, pos, starts_at, ends_at, reassigned_at, fill, backfilled)"
        + " select e.id, e.number, ds.policy, ds.seg, ds.pos, e.since, e.until, e.taken, 'none', true"
        + EXTENSIONS
        + "join ds on ds.id = e.id",
    "update ds set period = period + 1" + EXTENSIONS + "where ds.id = e.id"
  };

  private static final String PROLONG =
      "update location_period as s set starts_at = e.since"
          + EXTENSIONS
          + "where s.ds_id = e.id and s.number = e.number";

  private static final String COVER =
      "update location_period as s set covered_from = least(s.covered_from, e.since)"
          + EXTENSIONS
          + "where s.ds_id = e.id and s.number < e.number and s.ends_at > e.since";

  private final SlotSession session;
  private final WriteMode mode;

  PeriodExtension(SlotSession session, WriteMode mode) {
    this.session = session;
    this.mode = mode;
  }

  private record Segment(String policy, int seg) {
    static Segment of(StoredSeries series) {
      Location location = series.current().location();
      return new Segment(location.policy(), location.seg());
    }
  }

  /** As {@link Locations#extend}. */
  Map<String, Long> extend(Map<String, Long> fromMs) throws SQLException, InterruptedException {
    var sinceMs = new HashMap<String, Long>();
    var left = new HashMap<>(fromMs);
    while (!left.isEmpty()) { // again for those that move meanwhile
      Map<Segment, List<StoredSeries>> bySegment =
          session
              .transaction(connection -> StoredSeries.read(connection, left.keySet()))
              .values()
              .stream()
              .collect(Collectors.groupingBy(Segment::of));
      left.keySet().retainAll(idents(bySegment.values()));
      for (var segment : bySegment.entrySet()) {
        extend(segment.getKey(), segment.getValue(), left)
            .forEach(
                done -> {
                  sinceMs.put(done.series().ident(), done.sinceMs());
                  left.remove(done.series().ident());
                });
      }
    }
    return sinceMs;
  }

  private static Set<String> idents(Collection<List<StoredSeries>> series) {
    return series.stream()
        .flatMap(List::stream)
        .map(StoredSeries::ident)
        .collect(Collectors.toSet());
  }

  /** Extends periods of series of one segment; returns those that have not moved meanwhile. */
  private List<Extension> extend(
      Segment segment, List<StoredSeries> series, Map<String, Long> fromMs)
      throws SQLException, InterruptedException {
    var foreign = new ForeignSlots(session, segment.policy, segment.seg);
    List<Long> stepsMs = foreign.stepsMs();
    List<Extension> planned =
        session.transaction(connection -> plan(connection, segment, series, fromMs, stepsMs));
    List<Extension> needed = planned.stream().filter(Extension::isNeeded).toList();
    foreign.clear(needed.stream().flatMap(each -> each.foreign(stepsMs).stream()).toList());
    Set<Long> made = session.transaction(connection -> make(connection, needed));
    return planned.stream()
        .filter(each -> !each.isNeeded() || made.contains(each.series().id()))
        .toList();
  }

  private List<Extension> plan(
      Connection connection,
      Segment segment,
      List<StoredSeries> series,
      Map<String, Long> fromMs,
      List<Long> stepsMs)
      throws SQLException {
    Map<Integer, Map<Long, List<Location>>> former = former(connection, segment);
    return series.stream()
        .map(
            each -> {
              List<Location> others =
                  former.getOrDefault(each.current().location().pos(), Map.of()).entrySet().stream()
                      .filter(periods -> periods.getKey() != each.id())
                      .flatMap(periods -> periods.getValue().stream())
                      .toList();
              return Extension.of(each, mode, fromMs.get(each.ident()), others, stepsMs);
            })
        .toList();
  }

  /** Former periods in the segment, by position and series. */
  private static Map<Integer, Map<Long, List<Location>>> former(
      Connection connection, Segment segment) throws SQLException {
    var former = new HashMap<Integer, Map<Long, List<Location>>>();
    try (PreparedStatement statement = connection.prepareStatement(OTHERS)) {
      statement.setString(1, segment.policy);
      statement.setInt(2, segment.seg);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          Location location = StoredSeries.location(result, 2);
          former
              .computeIfAbsent(location.pos(), pos -> new HashMap<>())
              .computeIfAbsent(result.getLong(1), id -> new ArrayList<>())
              .add(location);
        }
      }
    }
    return former;
  }

  /** Makes the periods of series that have not moved meanwhile, and returns their ids. */
  private Set<Long> make(Connection connection, List<Extension> extensions) throws SQLException {
    Set<Long> unchanged = unchanged(connection, extensions);
    List<Extension> all =
        extensions.stream().filter(each -> unchanged.contains(each.series().id())).toList();
    List<Extension> made = all.stream().filter(each -> !each.prolongs()).toList();
    for (String sql : MAKE) {
      execute(connection, sql, made);
    }
    execute(connection, PROLONG, all.stream().filter(Extension::prolongs).toList());
    if (mode == WriteMode.OVERWRITE) {
      execute(connection, COVER, all);
    }
    return unchanged;
  }

  private static Set<Long> unchanged(Connection connection, List<Extension> extensions)
      throws SQLException {
    var unchanged = new HashSet<Long>();
    try (PreparedStatement statement = connection.prepareStatement(UNCHANGED)) {
      statement.setObject(1, ids(extensions));
      statement.setObject(
          2, extensions.stream().mapToInt(each -> each.series().current().number()).toArray());
      statement.setArray(
          3,
          times(connection, extensions.stream().map(each -> each.location().sinceMs()).toList()));
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          unchanged.add(result.getLong(1));
        }
      }
    }
    return unchanged;
  }

  private static void execute(Connection connection, String sql, List<Extension> extensions)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, ids(extensions));
      statement.setObject(2, extensions.stream().mapToInt(each -> each.next().number()).toArray());
      statement.setArray(
          3, times(connection, extensions.stream().map(Extension::sinceMs).toList()));
      statement.setArray(
          4, times(connection, extensions.stream().map(Extension::untilMs).toList()));
      statement.setArray(
          5, times(connection, extensions.stream().map(Extension::takenMs).toList()));
      statement.executeUpdate();
    }
  }

  private static long[] ids(List<Extension> extensions) {
    return extensions.stream().mapToLong(each -> each.series().id()).toArray();
  }

  static java.sql.Array times(Connection connection, List<Long> epochMs) throws SQLException {
    return connection.createArrayOf(
        "text",
        epochMs.stream()
            .map(ms -> ms == Long.MAX_VALUE ? "infinity" : Instant.ofEpochMilli(ms).toString())
            .toArray());
  }
}
