package dev.rondo.history.fill;

import dev.rondo.history.fill.Sources.Piece;
import dev.rondo.history.slots.Bundle;
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
 * have at former locations. The slots get a stay of their own, at the same location but before the
 * move:
 *
 * <pre>
 *   stay 0, former location   | 5 | 7 | 6 | 8 |
 *   stay 1, made here         | 5 | 7 | 6 | 8 |
 *   stay 2, location now                      | 4 | 3 |
 *   move                                      ^
 * </pre>
 *
 * <p>Reads find it as any former location, and read stay 0 wherever it has no value.
 */
final class MoveFill implements Filler.Work {
  /** Approximate maximum of stored rows that a transaction reads. */
  private static final int ROWS = 4000;

  private final Stays.Segment segment;
  private final Map<Integer, Long> firstMs = new HashMap<>();

  /** By archive: no earlier slot is filled, epoch ms. */
  private final Map<Integer, Long> lowMs = new HashMap<>();

  private List<Part> parts;
  private int next;

  MoveFill(Stays.Segment segment) {
    this.segment = segment;
  }

  /**
   * Slots of one archive that are filled in one transaction, from one segment of one archive.
   *
   * @param positions by former position, from 1: the position now and the stay there
   */
  private record Part(
      StoredArchive target,
      StoredArchive source,
      int seg,
      long fromMs,
      long toMs,
      Map<Integer, Origin> positions) {}

  /**
   * A former stay.
   *
   * @param position of the series now, from 1
   */
  private record Origin(Stay stay, int position) {
    /**
     * From when on finer slots are taken into the slot; {@link Owners#NOBODY}: none is. Only slots
     * within the stay are filled, or that in which the series began.
     */
    long sinceMs(long startMs, long endMs) {
      boolean isBegun = startMs >= stay.fromMs() || stay.number() == 0;
      boolean isWhole = isBegun && endMs <= stay.toMs();
      return isWhole && endMs > stay.fromMs() ? stay.fromMs() : Owners.NOBODY;
    }
  }

  /**
   * A segment that series have left. Of two stays with a value the later one is right: it is copied
   * first, because what is filled stays.
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
        Stays.begins(connection, first.getKey(), first.getValue());
      }
      Stays.finish(connection, segment);
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

  /** Makes the stays of the slots to fill. */
  private void begin(Connection connection) throws SQLException {
    List<Stay> arrived = Stays.arrived(connection, segment.policy(), segment.seg());
    List<Stay> before = Stays.before(connection, arrived);
    List<StoredArchive> targets = targets(connection);
    Map<String, List<StoredArchive>> archives = archives(connection, before);
    var sinceMs = new LinkedHashMap<Stay, Long>();
    for (Stay stay : arrived) {
      for (Stay former : before) {
        if (former.series() == stay.series()) {
          for (StoredArchive target : targets) {
            for (Piece piece : pieces(target, former, archives)) {
              long fromMs = Math.max(piece.fromMs(), former.fromMs());
              if (fromMs < Math.min(piece.toMs(), former.toMs())) {
                sinceMs.merge(stay, fromMs, Math::min);
              }
            }
          }
        }
      }
    }
    Set<Integer> used = Stays.used(connection, segment, List.copyOf(sinceMs.keySet()));
    sinceMs.keySet().removeIf(stay -> used.contains(stay.pos()));
    Stays.begin(connection, sinceMs);
    Stays.skip(connection, segment, arrived);
    connection.commit();
  }

  private List<Part> parts(Connection connection) throws SQLException {
    List<Stay> open = Stays.open(connection, segment.policy(), segment.seg());
    List<Stay> before = Stays.before(connection, open);
    Map<String, List<StoredArchive>> archives = archives(connection, before);
    Map<Long, Integer> position = new HashMap<>();
    open.forEach(stay -> position.put(stay.series(), stay.pos()));
    Map<Former, List<Stay>> bySegment = new TreeMap<>(Former.LATER_FIRST);
    Map<Long, Integer> later = new HashMap<>();
    for (Stay stay : before) {
      int moves = later.merge(stay.series(), 1, Integer::sum);
      bySegment
          .computeIfAbsent(
              new Former(moves, stay.policy(), stay.seg()), segment -> new ArrayList<>())
          .add(stay);
    }
    var all = new ArrayList<Part>();
    for (StoredArchive target : targets(connection)) {
      for (List<Stay> stays : bySegment.values()) {
        // one series at a time has a position
        for (Map<Integer, Origin> origins : apart(stays, position)) {
          List<Stay> alike = origins.values().stream().map(Origin::stay).toList();
          Stay last = Collections.max(alike, Comparator.comparingLong(Stay::toMs));
          long fromMs = alike.stream().mapToLong(Stay::fromMs).min().orElseThrow();
          for (Piece piece : pieces(target, last, archives)) {
            split(target, piece, fromMs, last, origins, all);
          }
        }
      }
    }
    connection.commit();
    return all;
  }

  /** Divides the stays so that in each part a position is that of one series only. */
  private static List<Map<Integer, Origin>> apart(List<Stay> stays, Map<Long, Integer> position) {
    var apart = new ArrayList<Map<Integer, Origin>>();
    for (Stay stay : stays) {
      var origin = new Origin(stay, position.get(stay.series()));
      Map<Integer, Origin> free =
          apart.stream().filter(part -> !part.containsKey(stay.pos())).findFirst().orElse(null);
      if (free == null) {
        free = new HashMap<>();
        apart.add(free);
      }
      free.put(stay.pos(), origin);
    }
    return apart;
  }

  private static void split(
      StoredArchive target,
      Piece piece,
      long beginMs,
      Stay last,
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
      var bundle = new Bundle(target.id(), target.policy(), target.stepMs(), target.beginMs());
      lowMs.put(target.id(), bundle.lowMs(connection));
    }
    return targets;
  }

  private static Map<String, List<StoredArchive>> archives(Connection connection, List<Stay> stays)
      throws SQLException {
    var archives = new HashMap<String, List<StoredArchive>>();
    for (Stay stay : stays) {
      if (!archives.containsKey(stay.policy())) {
        archives.put(stay.policy(), FillTables.archives(connection, stay.policy()));
      }
    }
    return archives;
  }

  /**
   * Slots of an archive that are filled from those of a former stay; none if an archive there keeps
   * them as long, as reads find them there.
   */
  private List<Piece> pieces(
      StoredArchive target, Stay former, Map<String, List<StoredArchive>> archives) {
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
