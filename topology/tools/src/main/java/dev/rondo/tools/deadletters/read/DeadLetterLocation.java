package dev.rondo.tools.deadletters;

import java.util.ArrayList;
import java.util.List;

/**
 * Where a letter is, to be read again.
 *
 * @param partition of {@code rondo.dead-letters}
 * @param offset there
 * @param bytes length of its value
 */
record DeadLetterOffset(int partition, long offset, int bytes) {
  private static final int WINDOW_LETTERS = 10_000;
  private static final long WINDOW_BYTES = 16L * 1024 * 1024;

  /** The same places in the same order, in parts whose letters fit into memory together. */
  static List<List<DeadLetterOffset>> windows(List<DeadLetterOffset> places) {
    List<List<DeadLetterOffset>> windows = new ArrayList<>();
    int from = 0;
    long bytes = 0;
    for (int n = 0; n < places.size(); n++) {
      bytes += places.get(n).bytes();
      if (n > from && (n - from == WINDOW_LETTERS || bytes > WINDOW_BYTES)) {
        windows.add(places.subList(from, n));
        from = n;
        bytes = places.get(n).bytes();
      }
    }
    if (from < places.size()) {
      windows.add(places.subList(from, places.size()));
    }
    return windows;
  }
}
