package dev.rondo.topology.order;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

/**
 * What has been read to the end. Once all partitions are decoded up to the ends of a moment, all
 * that was written some time before that moment has arrived with all that was written before it:
 * cause comes before effect, whatever any clock says.
 *
 * <pre>
 *   written →        1   2     3        4
 *   ends asked          A           B          C
 *   all decoded up to B: the points before A have all older ones of their series here
 * </pre>
 */
final class EndOffsetsReached {
  /** Ends that are waited for, at most; the oldest of them and the newest stay. */
  private static final int MOST = 16;

  private final long skewMs;

  /** Of the last moments, the oldest first. */
  private final Deque<EndOffsets> asked = new ArrayDeque<>();

  private final Deque<Moment> awaited = new ArrayDeque<>();
  private EndOffsets safe = EndOffsets.NONE;

  /**
   * Ends to be reached.
   *
   * @param before those of {@link #skewMs} earlier
   */
  record Moment(EndOffsets ends, EndOffsets before) {}

  /**
   * @param skewMs by which the order of writing may differ from that of sending
   */
  EndOffsetsReached(long skewMs) {
    this.skewMs = skewMs;
  }

  /** Takes the latest known ends. Returns whether they are new. */
  boolean ask(EndOffsets ends) {
    if (!ends.areKnown() || (!asked.isEmpty() && asked.peekLast().askedMs() >= ends.askedMs())) {
      return false;
    }
    asked.addLast(ends);
    EndOffsets before = null;
    while (asked.peekFirst().askedMs() <= ends.askedMs() - skewMs) {
      before = asked.removeFirst();
    }
    if (before != null) {
      asked.addFirst(before); // until a later one is old enough
      if (awaited.size() == MOST) {
        awaited.removeLast();
      }
      awaited.addLast(new Moment(ends, before));
    }
    return true;
  }

  /** Takes from the awaited moments those that are reached. */
  void reach(Predicate<EndOffsets> isReached) {
    while (!awaited.isEmpty() && isReached.test(awaited.peekFirst().ends())) {
      safe = awaited.removeFirst().before();
    }
  }

  /** Batches before these ends may leave. */
  EndOffsets safe() {
    return safe;
  }

  /** The oldest and the newest moment that is not reached. */
  List<Moment> awaited() {
    return awaited.size() < 2
        ? List.copyOf(awaited)
        : List.of(awaited.peekFirst(), awaited.peekLast());
  }
}
