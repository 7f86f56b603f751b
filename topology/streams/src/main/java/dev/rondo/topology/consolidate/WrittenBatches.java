package dev.rondo.topology.consolidate;

import dev.rondo.topology.order.Batch;
import java.util.BitSet;

/** A group of batches written together, with a bit for each point released since. */
final class WrittenBatches {
  private final int number;
  private final long first;
  private final int size;
  private final BitSet released;
  private BitSet releasedBefore;

  /**
   * Creates a group.
   *
   * @param number store key of the group
   * @param first sequence of the first point
   * @param size number of sequences from the first to the last point, including gaps
   * @param released sequences relative to the first: gaps and released points
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
   * Returns the released points that the written state certainly includes after this commit:
   * without atomic commits, those released before the previous commit.
   */
  BitSet releasedFor(boolean commitsAtomically) {
    if (commitsAtomically) {
      return released;
    }
    BitSet before = releasedBefore;
    releasedBefore = (BitSet) released.clone();
    return before;
  }

  /** Returns the released points of a batch, by their index in it. */
  BitSet releasedOf(Batch batch) {
    int from = (int) (batch.sequence() - first);
    return released.get(from, from + batch.points().size());
  }

  /** Whether {@code released} holds all points. */
  boolean areAllReleased(BitSet released) {
    return released.cardinality() == size;
  }
}
