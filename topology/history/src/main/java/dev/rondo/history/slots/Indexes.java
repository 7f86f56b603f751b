package dev.rondo.history.slots;

import dev.rondo.topology.archive.ArchiveShape;

/**
 * Indexes of the rows that slots of some time have in an archive, as one or two ranges.
 *
 * @param lows first of each range
 * @param highs last of each range
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Indexes(int[] lows, int[] highs) {
  /** Of the slots that end after {@code fromMs} and at or before {@code toMs}. */
  public static Indexes of(ArchiveShape shape, long fromMs, long toMs) {
    int last = shape.size() - 1;
    if (toMs - fromMs >= shape.spanMs()) {
      return new Indexes(new int[] {0}, new int[] {last});
    }
    int low = shape.index(shape.endOf(fromMs + 1));
    int high = shape.index(shape.endOf(toMs));
    return low <= high
        ? new Indexes(new int[] {low}, new int[] {high})
        : new Indexes(new int[] {low, 0}, new int[] {last, high});
  }
}
