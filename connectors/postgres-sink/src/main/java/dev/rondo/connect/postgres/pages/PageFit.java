package dev.rondo.connect.postgres.pages;

/**
 * Lengths of {@code dp} whose rows can be replaced in their page: when a page of {@code ts} has
 * been filled as far as its fillfactor says, a version of one of its rows still fits. The lengths
 * in between are too long for a row more, and too short to leave room.
 */
final class PageFit {
  private static final int PAGE_BYTES = 8168;

  /** Of a page of 8192, by the fillfactor of ts. */
  private static final int KEPT_BYTES = 8192 * (100 - 87) / 100;

  private static final int HEAD_BYTES = 72;
  private static final int POINTER_BYTES = 4;

  /** Longer ones are not kept in the page of their row (TOAST). */
  private static final int LONGEST = 245;

  private PageFit() {}

  /** The least length not below {@code length} that leaves room; {@code length} beyond 245. */
  static int atLeast(int length) {
    int fitting = length;
    while (fitting <= LONGEST && !leavesRoom(fitting)) {
      fitting++;
    }
    return fitting <= LONGEST ? fitting : length;
  }

  private static boolean leavesRoom(int length) {
    int row = HEAD_BYTES + 8 * length + POINTER_BYTES;
    int rows = (PAGE_BYTES - KEPT_BYTES) / row;
    return rows * (row + POINTER_BYTES) + row <= PAGE_BYTES; // a replaced row takes a pointer more
  }
}
