package dev.rondo.rows;

/**
 * Lengths of {@code dp} whose rows can be replaced in their page: when a page of {@code ts} is
 * filled up to its fillfactor, a new version of one of its rows still fits. With the lengths in
 * between, one row more does not fit but too little space is left.
 */
final class PageFit {
  private static final int PAGE_BYTES = 8168;

  /** Space that the fillfactor of {@code ts}, 87, keeps free in a page of 8192 bytes. */
  private static final int FREE_BYTES = 8192 * (100 - 87) / 100;

  private static final int HEAD_BYTES = 72;
  private static final int POINTER_BYTES = 4;

  /** Longer arrays are stored outside the page (TOAST). */
  private static final int MAX_LENGTH = 245;

  private PageFit() {}

  /** Rounds {@code length} up to one that leaves space; lengths above 245 stay as they are. */
  static int roundUp(int length) {
    int fitting = length;
    while (fitting <= MAX_LENGTH && !leavesRoom(fitting)) {
      fitting++;
    }
    return fitting <= MAX_LENGTH ? fitting : length;
  }

  private static boolean leavesRoom(int length) {
    int row = HEAD_BYTES + 8 * length + POINTER_BYTES;
    int rows = (PAGE_BYTES - FREE_BYTES) / row;
    return rows * (row + POINTER_BYTES) + row <= PAGE_BYTES; // a replaced row needs another pointer
  }
}
