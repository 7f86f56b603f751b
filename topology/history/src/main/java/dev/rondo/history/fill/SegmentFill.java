package dev.rondo.history.fill;

import dev.rondo.history.fill.Sources.Piece;
import dev.rondo.topology.archive.ArchiveShape;
import dev.rondo.topology.archive.ClosedSlots;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Fills one archive in one segment, some slots in each transaction, together with how far it is. A
 * transaction that fails leaves nothing, so it may be repeated.
 */
final class SegmentFill implements Filler.Work {
  /** Approximate maximum of stored rows that a transaction reads. */
  private static final int ROWS = 4000;

  private final Fill fill;
  private final int seg;

  SegmentFill(Fill fill, int seg) {
    this.fill = fill;
    this.seg = seg;
  }

  /**
   * What a transaction did.
   *
   * @param rows read and written
   * @param finished whether the segment is filled
   */
  record Progress(int rows, boolean finished) {}

  /** Tells which finer slots of a segment belong to the series whose slot is filled. */
  @FunctionalInterface
  interface Belonging {
    /**
     * From when on finer slots are taken into the slot that ends at {@code endMs}, by position from
     * index 0; {@link Owners#NOBODY} where none is.
     */
    long[] sinceMs(long endMs, int width);
  }

  @Override
  public Progress next(Connection connection) throws SQLException {
    List<StoredArchive> all = FillTables.archives(connection, fill.archive().policy());
    StoredArchive target = find(all, fill.archive().id());
    OptionalLong filledTo = FillTables.filledToMs(connection, target.id(), seg);
    if (filledTo.isEmpty()) {
      connection.commit(); // another filler had its turn
      return new Progress(0, true);
    }
    long filledToMs = filledTo.getAsLong();
    Piece piece =
        Sources.of(target, fill.untilMs(), all).stream()
            .filter(each -> each.toMs() > filledToMs)
            .findFirst()
            .orElse(null);
    if (piece == null) {
      FillTables.finish(connection, target.id(), seg);
      connection.commit();
      return new Progress(0, true);
    }
    long fromMs = Math.max(filledToMs, piece.fromMs());
    long slots = Math.max(1, ROWS * piece.source().stepMs() / target.stepMs());
    long toMs = Math.min(piece.toMs(), fromMs + slots * target.stepMs());

    Owners owners = Owners.read(connection, target.policy(), seg);
    List<SegmentRows.Row> stored = SegmentRows.read(connection, piece.source(), seg, fromMs, toMs);
    List<SegmentRows.Row> filled = consolidated(target, piece.source(), stored, owners::sinceMs);
    SegmentRows.fill(connection, target, seg, filled);
    if (!Owners.read(connection, target.policy(), seg).equals(owners)) {
      connection.rollback(); // a position has changed hands meanwhile
      return new Progress(stored.size(), false);
    }
    FillTables.progress(connection, target.id(), seg, toMs, filled);
    connection.commit();
    return new Progress(stored.size() + filled.size(), false);
  }

  /** Slots with a known value, in the order of their index, as rows are locked. */
  static List<SegmentRows.Row> consolidated(
      StoredArchive target,
      StoredArchive source,
      List<SegmentRows.Row> stored,
      Belonging belonging) {
    ArchiveShape shape = target.shape();
    SortedMap<Integer, SegmentRows.Row> filled = new TreeMap<>();
    int width = stored.stream().mapToInt(row -> row.dp().length).max().orElse(0);
    var closed = new ClosedSlots(target.archive(), source.stepMs(), width);
    int from = 0;
    while (from < stored.size()) {
      long endMs = shape.endOf(stored.get(from).endMs());
      long[] sinceMs = belonging.sinceMs(endMs, width);
      int to = from;
      while (to < stored.size() && stored.get(to).endMs() <= endMs) {
        SegmentRows.Row row = stored.get(to++);
        for (int p = 0; p < row.dp().length; p++) {
          if (row.endMs() > sinceMs[p]) {
            closed.take(p, row.dp()[p]);
          }
        }
      }
      var slot = new SegmentRows.Row(endMs, closed.close());
      if (slot.isKnown()) {
        filled.put(shape.index(endMs), slot);
      }
      from = to;
    }
    return new ArrayList<>(filled.values());
  }

  private static StoredArchive find(List<StoredArchive> all, int id) {
    return all.stream()
        .filter(each -> each.id() == id)
        .findFirst()
        .orElseThrow(() -> new GoneException(id));
  }

  /** The archive is no longer in PostgreSQL. */
  static final class GoneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    GoneException(int id) {
      super("archive %d is no longer in rra_bundle".formatted(id));
    }
  }
}
