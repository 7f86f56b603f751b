package dev.rondo.topology.consolidate;

import dev.rondo.topology.order.Batch;
import java.util.BitSet;

/**
 * A group of batches that were written together, and which of their points have been released
 * since: one bit per point, counted from the first.
 */
final class WrittenBatches {
  private final int number;
  private final long first;
  private final int size;
  private final BitSet released;
  private BitSet releasedBefore;

  /**
   * A group that is being written.
   *
   * @param number under which it is written
   * @param first sequence of the first point
   * @param size number of sequences up to the last point, including those of other points
   * @param released the sequences of other points, and of points that were released
   */
  WrittenBatches(int number, long first, int size, BitSet released) {
    this.number = number;
    this.first = first;
    this.size = size;
    this.released = released;
    this.releasedBefore = (BitSet) released.clone();
  }

  int number() {
    return number;
  }

  long first() {
    return first;
  }

  void release(long sequence) {
    released.set((int) (sequence - first));
  }

  /**
   * The released points that the written state certainly includes once this commit is done: without
   * atomic commits those that were released by the commit before.
   */
  BitSet releasedFor(boolean commitsAtomically) {
    if (commitsAtomically) {
      return released;
    }
    BitSet before = releasedBefore;
    releasedBefore = (BitSet) released.clone();
    return before;
  }

  /** Which points of the batch have been released, by their index in it. */
  BitSet releasedOf(Batch batch) {
    int from = (int) (batch.sequence() - first);
    return released.get(from, from + batch.points().size());
  }

  /** Whether {@code released} holds all points. */
  boolean isEmpty(BitSet released) {
    return released.cardinality() == size;
  }
}
