package dev.rondo.connect.postgres;

import java.util.ArrayList;
import java.util.List;

/**
 * Limits the records of a transaction: a whole put while PostgreSQL completes it. After a timeout
 * or lack of memory each attempt takes half as many, down to one; each stored put raises the limit
 * a little. Not thread-safe.
 */
final class TransactionSize {
  private int limit = Integer.MAX_VALUE;

  /** Cuts {@code records}, in order, into as few parts as possible; none when there are none. */
  <T> List<List<T>> cut(List<T> records) {
    var parts = new ArrayList<List<T>>();
    int from = 0;
    while (from < records.size()) {
      int to = from + Math.min(limit, records.size() - from);
      parts.add(records.subList(from, to));
      from = to;
    }
    return parts;
  }

  /** A put of this many records was too large. */
  void tooLarge(int records) {
    limit = Math.max(1, Math.min(limit, records) / 2);
  }

  /** A put was stored. */
  void succeeded() {
    limit = (int) Math.min(Integer.MAX_VALUE, limit + limit / 4L + 1);
  }
}
