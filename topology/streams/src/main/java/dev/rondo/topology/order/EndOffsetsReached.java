package dev.rondo.topology.order;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

/**
 * Tracks which end offsets the decoders have reached. Once all partitions are decoded up to the end
 * offsets of a moment, every record written before that moment has arrived. So no older point can
 * still arrive for points written at least {@link #skewMs} earlier. The proof needs no clock: a
 * record precedes an end offset that includes it.
 *
 * <pre>
 *   written →         1   2     3        4
 *   ends requested       A           B          C
 *   all decoded up to B: for points before A, all older points of their series have arrived
 * </pre>
 */
final class EndOffsetsReached {
  /** Most pending targets; the newest replaces the one before it when full. */
  private static final int MAX_PENDING = 16;

  private final long skewMs;

  /** Latest end offsets, oldest first. */
  private final Deque<EndOffsets> recent = new ArrayDeque<>();

  private final Deque<Target> pending = new ArrayDeque<>();
  private EndOffsets safe = EndOffsets.NONE;

  /**
   * End offsets to be reached.
   *
   * @param before end offsets at least {@link #skewMs} older
   */
  record Target(EndOffsets ends, EndOffsets before) {}

  /**
   * @param skewMs by how much the write order may differ from the send order
   */
  EndOffsetsReached(long skewMs) {
    this.skewMs = skewMs;
  }

  /** Adds the latest end offsets as a target, if they are new. */
  void add(EndOffsets ends) {
    if (!ends.areKnown()
        || (!recent.isEmpty() && recent.peekLast().requestedMs() >= ends.requestedMs())) {
      return;
    }
    recent.addLast(ends);
    EndOffsets before = null;
    while (recent.peekFirst().requestedMs() <= ends.requestedMs() - skewMs) {
      before = recent.removeFirst();
    }
    if (before != null) {
      recent.addFirst(before); // until a later one is old enough
      if (pending.size() == MAX_PENDING) {
        pending.removeLast();
      }
      pending.addLast(new Target(ends, before));
    }
  }

  /** Removes the targets that are reached. */
  void advance(Predicate<EndOffsets> isReached) {
    while (!pending.isEmpty() && isReached.test(pending.peekFirst().ends())) {
      safe = pending.removeFirst().before();
    }
  }

  /** Batches before these end offsets may be released. */
  EndOffsets safe() {
    return safe;
  }

  /** The oldest and the newest pending target. */
  List<Target> oldestAndNewest() {
    return pending.size() < 2
        ? List.copyOf(pending)
        : List.of(pending.peekFirst(), pending.peekLast());
  }
}
