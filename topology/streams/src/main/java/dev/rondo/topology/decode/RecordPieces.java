package dev.rondo.topology.decode;

import java.util.BitSet;

/**
 * Numbers the points, events and drops of a record, from 0, in decoding order, and notes the first
 * number of each piece. Reused from record to record.
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

  /** Adds a point, event or drop found in the bytes from..to of the record. */
  void add(int pieceFrom, int pieceTo) {
    if (size == 0 || pieceFrom != from || pieceTo != to) {
      begin = size;
      begins.set(begin);
      from = pieceFrom;
      to = pieceTo;
    }
    size++;
  }

  int size() {
    return size;
  }

  /** Number of the last point, event or drop. */
  int last() {
    return size - 1;
  }

  /** First number of the last piece. */
  int begin() {
    return begin;
  }

  /** Returns the end, exclusive, of the piece whose first number is {@code first}. */
  int end(int first) {
    int next = begins.nextSetBit(first + 1);
    return next < 0 ? size : next;
  }
}
