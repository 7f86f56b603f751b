package dev.rondo.schemas;

/**
 * Number of a segment: the partition in the upper sixteen bits, an index within the partition in
 * the lower sixteen, so that each task numbers its own segments.
 */
public final class SegmentNumber {
  private static final int INDEX_BITS = 16;

  /** Most segments of one partition. */
  public static final int MAX_SEGMENTS = 1 << INDEX_BITS;

  /** Most partitions: numbers are not negative. */
  private static final int MAX_PARTITIONS = 1 << (Integer.SIZE - 1 - INDEX_BITS);

  private SegmentNumber() {}

  /**
   * Returns the number of segment {@code index}, from 0, of a partition.
   *
   * @throws IllegalArgumentException if the number would be that of another segment
   */
  public static int of(int partition, int index) {
    if (partition < 0 || partition >= MAX_PARTITIONS || index < 0 || index >= MAX_SEGMENTS) {
      throw new IllegalArgumentException(
          "segment %d of partition %d: a partition has at most %d segments, and a topic %d partitions"
              .formatted(index, partition, MAX_SEGMENTS, MAX_PARTITIONS));
    }
    return partition << INDEX_BITS | index;
  }

  public static int partition(int number) {
    return number >>> INDEX_BITS;
  }

  public static int index(int number) {
    return number & (MAX_SEGMENTS - 1);
  }
}
