package dev.rondo.schemas;

/**
 * Number of a segment: the partition in the upper sixteen bits, an index within the partition in
 * the lower sixteen. So a segment stays in its partition, and each task numbers its own segments.
 */
public final class SegmentNumber {
  private static final int INDEX_BITS = 16;

  /** Most segments of one partition. */
  public static final int MAX_SEGMENTS = 1 << INDEX_BITS;

  private SegmentNumber() {}

  /** The number of segment {@code index}, from 0, of a partition. */
  public static int of(int partition, int index) {
    return partition << INDEX_BITS | index;
  }

  /** The partition of a segment. */
  public static int partition(int number) {
    return number >>> INDEX_BITS;
  }

  /** The index of a segment within its partition, from 0. */
  public static int index(int number) {
    return number & (MAX_SEGMENTS - 1);
  }
}
