package dev.rondo.connect.postgres;

import java.util.ArrayList;
import java.util.List;

/**
 * How many records a transaction takes: a whole put, as long as PostgreSQL gets through with it.
 * Where a timeout or memory is in the way, half as many at each attempt, down to one; after that a
 * little more with each put. One thread.
 */
final class TransactionSize {
  private int most = Integer.MAX_VALUE;

  /** {@code records} in their order, in as few parts as may be; none when there are none. */
  <T> List<List<T>> cut(List<T> records) {
    var parts = new ArrayList<List<T>>();
    int from = 0;
    while (from < records.size()) {
      int to = from + Math.min(most, records.size() - from);
      parts.add(records.subList(from, to));
      from = to;
    }
    return parts;
  }

  /** A put of this many records was too much. */
  void tooMuch(int records) {
    most = Math.max(1, Math.min(most, records) / 2);
  }

  /** A put is stored. */
  void succeeded() {
    most = (int) Math.min(Integer.MAX_VALUE, most + most / 4L + 1);
  }
}
