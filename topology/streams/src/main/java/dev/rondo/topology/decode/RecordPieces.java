package dev.rondo.topology.decode;

import java.util.BitSet;

/**
 * Numbers the points, events and drops of a record, from 0, in the order in which they are decoded,
 * and notes at which numbers the pieces begin that hold them. Reused from record to record.
 *
 * <pre>
 *   line      m a=1   |   m b=1,c=?,d=1   |   m e=1
 *   number      0     |     1   2   3     |     4
 *   begins      0           1                   4
 * </pre>
 */
final class RecordPieces {
  private final BitSet begins = new BitSet();
  private int size;
  private int begin;
  private int from;
  private int to;

  void clear() {
    begins.clear();
    size = 0;
  }

  /** Adds a point, an event or a drop that the bytes from..to of the record hold. */
  void add(int pieceFrom, int pieceTo) {
    if (size == 0 || pieceFrom != from || pieceTo != to) {
      begin = size;
      begins.set(begin);
      from = pieceFrom;
      to = pieceTo;
    }
    size++;
  }

  /** How many were added. */
  int size() {
    return size;
  }

  /** Number of the one that was added last. */
  int newest() {
    return size - 1;
  }

  /** Number at which the piece of the newest begins. */
  int begin() {
    return begin;
  }

  /** Number at which the piece after the one that begins at {@code first} begins, or would. */
  int end(int first) {
    int next = begins.nextSetBit(first + 1);
    return next < 0 ? size : next;
  }
}
