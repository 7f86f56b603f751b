package dev.rondo.history.fill;

import dev.rondo.history.fill.Sources.Piece;
import dev.rondo.history.slots.ArchiveBegin;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Fills the archives of a segment for the series that have moved there, with the slots that they
 * have at former locations. The slots get a period of their own, at the same location but before
 * the move:
 *
 * <pre>
 *   period 0, former location   | 5 | 7 | 6 | 8 |
 *   period 1, made here         | 5 | 7 | 6 | 8 |
 *   period 2, location now                      | 4 | 3 |
 *   move                                      ^
 * </pre>
 *
 * <p>Reads find it as any former location, and read period 0 wherever it has no value.
 */
final class MoveFill implements Filler.Work {
  /** Approximate maximum of stored rows that a transaction reads. */
  private static final int ROWS = 4000;

  private final LocationPeriods.Segment segment;
  private final Map<Integer, Long> firstMs = new HashMap<>();

  /** By archive: no earlier slot is filled, epoch ms. */
  private final Map<Integer, Long> lowMs = new HashMap<>();

  private List<Part> parts;
  private int next;

  MoveFill(LocationPeriods.Segment segment) {
    this.segment = segment;
  }

  /**
   * Slots of one archive that are filled in one transaction, from one segment of one archive.
   *
   * @param positions by former position, from 1: the position now and the period there
   */
  private record Part(
      StoredArchive target,
      StoredArchive source,
      int seg,
      long fromMs,
      long toMs,
      Map<Integer, Origin> positions) {}

  /**
   * A former period.
   *
   * @param position of the series now, from 1
   */
  private record Origin(LocationPeriod period, int position) {
    /**
     * From when on finer slots are taken into the slot; {@link Owners#NOBODY}: none is. Only slots
     * within the period are filled, or that in which the series began.
     */
    long sinceMs(long startMs, long endMs) {
      boolean isBegun = startMs >= period.fromMs() || period.number() == 0;
      boolean isWhole = isBegun && endMs <= period.toMs();
      return isWhole && endMs > period.fromMs() ? period.fromMs() : Owners.NOBODY;
    }
  }

  /**
   * A segment that series have left. Of two periods with a value the later one is right: it is
   * copied first, because what is filled stays.
   *
   * @param moves of its series since
   */
  private record Former(int moves, String policy, int seg) {
    static final Comparator<Former> LATER_FIRST =
        Comparator.comparingInt(Former::moves)
            .thenComparing(Former::policy)
            .thenComparingInt(Former::seg);
  }

  @Override
  public SegmentFill.Progress next(Connection connection) throws SQLException {
    if (parts == null) {
      begin(connection);
      parts = parts(connection);
      return new SegmentFill.Progress(0, false);
    }
    if (next == parts.size()) {
      for (var first : new TreeMap<>(firstMs).entrySet()) {
        LocationPeriods.begins(connection, first.getKey(), first.getValue());
      }
      LocationPeriods.finish(connection, segment);
      connection.commit();
      return new SegmentFill.Progress(0, true);
    }
    Part part = parts.get(next);
    List<SegmentRows.Row> stored =
        SegmentRows.read(connection, part.source, part.seg, part.fromMs, part.toMs);
    List<SegmentRows.Row> filled =
        SegmentFill.consolidated(
            part.target, part.source, stored, (endMs, width) -> sinceMs(part, endMs, width));
    SegmentRows.fill(connection, part.target, segment.seg(), moved(filled, part));
    connection.commit();
    filled.forEach(row -> firstMs.merge(part.target.id(), row.endMs(), Math::min));
    next++;
    return new SegmentFill.Progress(stored.size() + filled.size(), false);
  }

  /** Makes the periods of the slots to fill. */
  private void begin(Connection connection) throws SQLException {
    List<LocationPeriod> arrived =
        LocationPeriods.arrived(connection, segment.policy(), segment.seg());
    List<LocationPeriod> before = LocationPeriods.before(connection, arrived);
    List<StoredArchive> targets = targets(connection);
    Map<String, List<StoredArchive>> archives = archives(connection, before);
    var sinceMs = new LinkedHashMap<LocationPeriod, Long>();
    for (LocationPeriod period : arrived) {
      for (LocationPeriod former : before) {
        if (former.series() == period.series()) {
          for (StoredArchive target : targets) {
            for (Piece piece : pieces(target, former, archives)) {
              long fromMs = Math.max(piece.fromMs(), former.fromMs());
              if (fromMs < Math.min(piece.toMs(), former.toMs())) {
                sinceMs.merge(period, fromMs, Math::min);
              }
            }
          }
        }
      }
    }
    Set<Integer> used = LocationPeriods.used(connection, segment, List.copyOf(sinceMs.keySet()));
    sinceMs.keySet().removeIf(period -> used.contains(period.pos()));
    LocationPeriods.begin(connection, sinceMs);
    LocationPeriods.skip(connection, segment, arrived);
    connection.commit();
  }

  private List<Part> parts(Connection connection) throws SQLException {
    List<LocationPeriod> open = LocationPeriods.open(connection, segment.policy(), segment.seg());
    List<LocationPeriod> before = LocationPeriods.before(connection, open);
    Map<String, List<StoredArchive>> archives = archives(connection, before);
    Map<Long, Integer> position = new HashMap<>();
    open.forEach(period -> position.put(period.series(), period.pos()));
    Map<Former, List<LocationPeriod>> bySegment = new TreeMap<>(Former.LATER_FIRST);
    Map<Long, Integer> later = new HashMap<>();
    for (LocationPeriod period : before) {
      int moves = later.merge(period.series(), 1, Integer::sum);
      bySegment
          .computeIfAbsent(
              new Former(moves, period.policy(), period.seg()), segment -> new ArrayList<>())
          .add(period);
    }
    var all = new ArrayList<Part>();
    for (StoredArchive target : targets(connection)) {
      for (List<LocationPeriod> periods : bySegment.values()) {
        // one series at a time has a position
        for (Map<Integer, Origin> origins : apart(periods, position)) {
          List<LocationPeriod> alike = origins.values().stream().map(Origin::period).toList();
          LocationPeriod last =
              Collections.max(alike, Comparator.comparingLong(LocationPeriod::toMs));
          long fromMs = alike.stream().mapToLong(LocationPeriod::fromMs).min().orElseThrow();
          for (Piece piece : pieces(target, last, archives)) {
            split(target, piece, fromMs, last, origins, all);
          }
        }
      }
    }
    connection.commit();
    return all;
  }

  /** Divides the periods so that in each part a position is that of one series only. */
  private static List<Map<Integer, Origin>> apart(
      List<LocationPeriod> periods, Map<Long, Integer> position) {
    var apart = new ArrayList<Map<Integer, Origin>>();
    for (LocationPeriod period : periods) {
      var origin = new Origin(period, position.get(period.series()));
      Map<Integer, Origin> free =
          apart.stream().filter(part -> !part.containsKey(period.pos())).findFirst().orElse(null);
      if (free == null) {
        free = new HashMap<>();
        apart.add(free);
      }
      free.put(period.pos(), origin);
    }
    return apart;
  }

  private static void split(
      StoredArchive target,
      Piece piece,
      long beginMs,
      LocationPeriod last,
      Map<Integer, Origin> positions,
      List<Part> all) {
    long stepMs = target.stepMs();
    long atMostMs = Math.max(1, ROWS * piece.source().stepMs() / stepMs) * stepMs;
    long fromMs = Math.max(piece.fromMs(), Math.floorDiv(beginMs, stepMs) * stepMs);
    long finalMs = Math.min(piece.toMs(), last.toMs());
    while (fromMs < finalMs) {
      long toMs = Math.min(piece.toMs(), fromMs + atMostMs);
      all.add(new Part(target, piece.source(), last.seg(), fromMs, toMs, positions));
      fromMs = toMs;
    }
  }

  private static long[] sinceMs(Part part, long endMs, int width) {
    long[] sinceMs = new long[width];
    for (int p = 0; p < width; p++) {
      Origin origin = part.positions.get(p + 1);
      sinceMs[p] =
          origin == null ? Owners.NOBODY : origin.sinceMs(endMs - part.target.stepMs(), endMs);
    }
    return sinceMs;
  }

  /** The same slots with each value at the position that its series has now. */
  private static List<SegmentRows.Row> moved(List<SegmentRows.Row> filled, Part part) {
    int width = part.positions.values().stream().mapToInt(Origin::position).max().orElseThrow();
    var moved = new ArrayList<SegmentRows.Row>();
    for (SegmentRows.Row row : filled) {
      double[] dp = new double[width];
      Arrays.fill(dp, Double.NaN);
      part.positions.forEach(
          (former, origin) -> {
            if (former <= row.dp().length) {
              dp[origin.position() - 1] = row.dp()[former - 1];
            }
          });
      moved.add(new SegmentRows.Row(row.endMs(), dp));
    }
    return moved;
  }

  /** The archives of the policy that receive slots. */
  private List<StoredArchive> targets(Connection connection) throws SQLException {
    List<StoredArchive> targets = FillTables.live(connection, segment.policy());
    for (StoredArchive target : targets) {
      lowMs.put(target.id(), ArchiveBegin.lowMs(connection, target.id()));
    }
    return targets;
  }

  private static Map<String, List<StoredArchive>> archives(
      Connection connection, List<LocationPeriod> periods) throws SQLException {
    var archives = new HashMap<String, List<StoredArchive>>();
    for (LocationPeriod period : periods) {
      if (!archives.containsKey(period.policy())) {
        archives.put(period.policy(), FillTables.archives(connection, period.policy()));
      }
    }
    return archives;
  }

  /**
   * Slots of an archive that are filled from those of a former period; none if an archive there
   * keeps them as long, as reads find them there.
   */
  private List<Piece> pieces(
      StoredArchive target, LocationPeriod former, Map<String, List<StoredArchive>> archives) {
    List<StoredArchive> sources = archives.get(former.policy());
    if (sources.stream().anyMatch(each -> each.keeps(target))) {
      return List.of();
    }
    long low = lowMs.get(target.id());
    long untilMs = Math.floorDiv(former.toMs(), target.stepMs()) * target.stepMs();
    return Sources.of(target, untilMs, sources).stream()
        .filter(piece -> piece.toMs() > low)
        .map(piece -> new Piece(piece.source(), Math.max(piece.fromMs(), low), piece.toMs()))
        .toList();
  }
}
