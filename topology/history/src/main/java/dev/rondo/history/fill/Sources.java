package dev.rondo.history.fill;

import dev.rondo.topology.archive.ConsolidationFunction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Chooses for each slot of a new archive the archive of its policy that it is filled from: one of
 * another length whose slots are the same, otherwise the finest that has data for the whole slot.
 * Of a part, a sum or a maximum would be too small.
 *
 * <pre>
 *   10 s, 6 h                       |======|
 *   1 m, 7 d        |======================|
 *   1 h, 1 y, new                          |===
 *   filled from     |      1 m      | 10 s |
 * </pre>
 *
 * A source has the same function, or the weighted mean if its slots were the finest of their time:
 * of one finest slot all functions have the same value. The archives that a policy no longer has
 * are sources until their rows are deleted.
 */
final class Sources {
  private Sources() {}

  /** Slots of the new archive that end after {@code fromMs} and at or before {@code toMs}. */
  record Piece(StoredArchive source, long fromMs, long toMs) {}

  /**
   * Returns the pieces in the order of time; there is none for a time that no source has.
   *
   * <p>There is none at all for an archive that began with its sources: what is unknown in its
   * first slot was unknown from the beginning.
   *
   * @param untilMs end of the first slot that points brought, perhaps of some series only: it may
   *     be the slot of the change, and is filled for the others
   * @param all archives of the policy
   */
  static List<Piece> of(StoredArchive target, long untilMs, Collection<StoredArchive> all) {
    long fromMs = target.latestMs() - target.shape().spanMs();
    var pieces = new ArrayList<Piece>();
    Long beforeMs = null;
    for (long borderMs : borders(target, fromMs, untilMs, all)) {
      if (beforeMs != null) {
        long from = beforeMs;
        source(target, borderMs, all)
            .ifPresent(source -> append(pieces, new Piece(source, from, borderMs)));
      }
      beforeMs = borderMs;
    }
    boolean beganLater = !pieces.isEmpty() && pieces.get(0).fromMs < untilMs - target.stepMs();
    return beganLater ? pieces : List.of();
  }

  /** Multiples of the step between which one source is right for all slots. */
  private static NavigableSet<Long> borders(
      StoredArchive target, long fromMs, long toMs, Collection<StoredArchive> all) {
    var borders = new TreeSet<Long>();
    for (StoredArchive each : all) {
      for (long timeMs : new long[] {each.beginMs(), each.oldestMs(), each.latestMs()}) {
        long downMs = Math.floorDiv(timeMs, target.stepMs()) * target.stepMs();
        borders.add(downMs);
        borders.add(target.shape().endOf(timeMs));
      }
    }
    borders.removeIf(borderMs -> borderMs <= fromMs || borderMs >= toMs);
    if (fromMs < toMs) {
      borders.add(fromMs);
      borders.add(toMs);
    }
    return borders;
  }

  private static void append(List<Piece> pieces, Piece next) {
    Piece last = pieces.isEmpty() ? null : pieces.get(pieces.size() - 1);
    if (last != null && last.toMs == next.fromMs && last.source.equals(next.source)) {
      pieces.set(pieces.size() - 1, new Piece(last.source, last.fromMs, next.toMs));
    } else {
      pieces.add(next);
    }
  }

  private static Optional<StoredArchive> source(
      StoredArchive target, long endMs, Collection<StoredArchive> all) {
    return all.stream()
        .filter(each -> isWhole(each, target, endMs) && fits(each, target, endMs, all))
        .min(
            Comparator.comparing((StoredArchive each) -> !each.hasSlotsOf(target))
                .thenComparingLong(StoredArchive::stepMs)
                .thenComparing(each -> each.function() != target.function())
                .thenComparing(Comparator.comparingLong(StoredArchive::latestMs).reversed())
                .thenComparingInt(StoredArchive::id));
  }

  /** Whether an archive has all of the slot. */
  private static boolean isWhole(StoredArchive source, StoredArchive target, long endMs) {
    return source.oldestMs() <= endMs - target.stepMs() && source.latestMs() >= endMs;
  }

  private static boolean fits(
      StoredArchive source, StoredArchive target, long endMs, Collection<StoredArchive> all) {
    return source.id() != target.id()
        && source.whisper() == target.whisper()
        && target.stepMs() % source.stepMs() == 0
        && (source.function() == target.function()
            || isFinest(source, endMs - target.stepMs(), endMs, all));
  }

  /** Whether no finer slots were written for the time, even if they have been overwritten since. */
  private static boolean isFinest(
      StoredArchive source, long startMs, long endMs, Collection<StoredArchive> all) {
    return source.function() == ConsolidationFunction.WMEAN
        && all.stream()
            .noneMatch(
                each ->
                    each.stepMs() < source.stepMs()
                        && each.beginMs() < endMs
                        && each.latestMs() > startMs);
  }
}
