package dev.rondo.topology.consolidate;

import dev.rondo.topology.order.Batch;
import java.util.BitSet;

/**
 * Batches that were written together, and which of their points have left since: a bit for each,
 * counted from the first.
 */
final class WrittenBatches {
  private final int number;
  private final long first;
  private final int size;
  private final BitSet left;
  private BitSet leftBefore;

  /**
   * Batches that are written.
   *
   * @param number that they are written under
   * @param first sequence of the first point
   * @param size of sequences from there to the last, those included that are not among them
   * @param left those that are not, or not any more
   */
  WrittenBatches(int number, long first, int size, BitSet left) {
    this.number = number;
    this.first = first;
    this.size = size;
    this.left = left;
    this.leftBefore = (BitSet) left.clone();
  }

  int number() {
    return number;
  }

  long first() {
    return first;
  }

  void leave(long sequence) {
    left.set((int) (sequence - first));
  }

  /**
   * Those whose points are certainly in the written state when this commit is written. Where one is
   * not atomic that is one commit later.
   */
  BitSet leftFor(boolean commitsAtomically) {
    if (commitsAtomically) {
      return left;
    }
    BitSet before = leftBefore;
    leftBefore = (BitSet) left.clone();
    return before;
  }

  /** Which of the batch's points have left, by their index. */
  BitSet leftOf(Batch batch) {
    int from = (int) (batch.sequence() - first);
    return left.get(from, from + batch.points().size());
  }

  /** Whether none waits, of those that {@code left} does not hold. */
  boolean isEmpty(BitSet left) {
    return left.cardinality() == size;
  }
}
