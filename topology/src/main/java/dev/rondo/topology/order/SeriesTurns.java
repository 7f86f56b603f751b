package dev.rondo.topology.order;

import dev.rondo.schemas.Point;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The waiting batches of one source partition, and whose turn it is for each series: those that
 * hold it, in the order of their sequence. A batch may leave when it is the first for each of its
 * series. Looked at point by point are only batches that others want to overtake.
 *
 * <pre>
 *   a   1 ── 2 ───────── 5        may leave: 1, 3
 *   b        2 ── 4                before 5 goes 1, before 4 goes 2 and before that 1
 *   c   1 ────────── 4
 *   d             3
 * </pre>
 */
final class SeriesTurns {
  private final NavigableSet<Batch> waiting =
      new TreeSet<>(Comparator.comparingLong(Batch::sequence));

  /** Of those that wait and are not behind {@link #seen}, by ident. */
  private final Map<String, Turn> firsts = new HashMap<>();

  /** The last batch whose series were looked at; it may have left. */
  private Batch seen;

  /** That a batch holds a series; linked to the next one that does. */
  private static final class Turn {
    private final Batch batch;
    private Turn next;

    /** The last that waits; kept by the first of them. */
    private Turn last = this;

    Turn(Batch batch) {
      this.batch = batch;
    }

    void append(Turn turn) {
      last.next = turn;
      last = turn;
    }

    /** Returns the turn that is first from now on; null if this was the last one. */
    Turn pass() {
      if (next != null) {
        next.last = last;
      }
      return next;
    }
  }

  /** Lets a batch wait behind all that wait. */
  void add(Batch batch) {
    waiting.add(batch);
  }

  /** Takes out a batch that is the first for each of its series. */
  void leave(Batch batch) {
    waiting.remove(batch);
    if (seen == null || seen.sequence() < batch.sequence()) {
      return;
    }
    for (Point point : batch.points()) {
      Turn first = firsts.get(point.getIdent());
      if (first != null && isOf(first, batch)) { // no longer where the record holds it twice
        Turn next = first.pass();
        if (next == null) {
          firsts.remove(point.getIdent());
        } else {
          firsts.put(point.getIdent(), next);
        }
      }
    }
  }

  /**
   * The batch, if it may leave; otherwise the earliest that waits and holds a series of it, or what
   * has to leave before that one.
   */
  Batch orBeforeIt(Batch batch) {
    if (waiting.first().sequence() == batch.sequence()) {
      return batch;
    }
    seeUpTo(batch);
    Batch before = earliest(batch);
    while (before.sequence() < batch.sequence()) {
      batch = before;
      before = earliest(batch);
    }
    return batch;
  }

  private void seeUpTo(Batch batch) {
    if (seen == null) {
      waiting.headSet(batch, true).forEach(this::see);
      seen = batch;
    } else if (seen.sequence() < batch.sequence()) {
      waiting.subSet(seen, false, batch, true).forEach(this::see);
      seen = batch;
    }
  }

  private void see(Batch batch) {
    for (Point point : batch.points()) {
      Turn first = firsts.get(point.getIdent());
      if (first == null) {
        firsts.put(point.getIdent(), new Turn(batch));
      } else if (!isOf(first.last, batch)) { // otherwise the record holds the series twice
        first.append(new Turn(batch));
      }
    }
  }

  private static boolean isOf(Turn turn, Batch batch) {
    return turn.batch.sequence() == batch.sequence();
  }

  /** Of the batches that wait and hold a series of this one. */
  private Batch earliest(Batch batch) {
    Batch earliest = batch;
    for (Point point : batch.points()) {
      Batch first = firsts.get(point.getIdent()).batch;
      if (first.sequence() < earliest.sequence()) {
        earliest = first;
      }
    }
    return earliest;
  }
}
