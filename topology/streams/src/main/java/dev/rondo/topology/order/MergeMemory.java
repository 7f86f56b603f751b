package dev.rondo.topology.order;

import dev.rondo.schemas.Point;
import dev.rondo.topology.memory.FairMemory;
import dev.rondo.topology.memory.MemoryShare;
import java.util.List;

/**
 * Counts the heap of the points of one topic that one merge buffers, and of their changelog
 * entries. {@code MergeMemoryTest} compares the figures with a real heap. The account of the
 * instance is told by {@link #report}, and not at each point: its counters are shared between
 * threads.
 */
final class MergeMemory {
  private static final long BATCH_BYTES = 128;
  private static final long POINT_BYTES = 80;
  private static final long SERIES_BYTES = 144;
  private static final long QUEUE_BYTES = 32;

  /** What is counted here before the account of the instance is told. */
  private static final long MOST_UNREPORTED_BYTES = 64 * 1024;

  private final FairMemory memory;
  private final MemoryShare share;
  private long unreportedEntries;
  private long unreportedBytes;

  MergeMemory(FairMemory memory, String topic) {
    this.memory = memory;
    this.share = memory.of(topic).open();
  }

  void add(Batch batch) {
    count(batch.points().size(), bytes(batch));
  }

  void remove(Batch batch) {
    count(-batch.points().size(), -bytes(batch));
  }

  /** Most heap that decoded points take: each the only one of its series in the merge. */
  static long estimatedBytes(List<Point> points) {
    long bytes = BATCH_BYTES;
    for (Point point : points) {
      bytes += POINT_BYTES + SERIES_BYTES + QUEUE_BYTES + 2L * point.getIdent().length();
    }
    return bytes;
  }

  /** Size of the serialized batch; the points of a series share one ident string. */
  private static long bytes(Batch batch) {
    long bytes = BATCH_BYTES;
    for (Point point : batch.points()) {
      bytes += POINT_BYTES + point.getIdent().length();
    }
    return bytes;
  }

  /** Counts a series that is not in the index. */
  void addSeries(String ident) {
    count(0, SERIES_BYTES + ident.length());
  }

  void removeSeries(String ident) {
    count(0, -SERIES_BYTES - ident.length());
  }

  void addQueue() {
    count(0, QUEUE_BYTES);
  }

  void removeQueue() {
    count(0, -QUEUE_BYTES);
  }

  private void count(long entries, long bytes) {
    unreportedEntries += entries;
    unreportedBytes += bytes;
    if (Math.abs(unreportedBytes) >= MOST_UNREPORTED_BYTES) {
      report();
    }
  }

  /** Tells the account of the instance what was counted since. */
  void report() {
    if (unreportedEntries != 0 || unreportedBytes != 0) {
      share.add(unreportedEntries, unreportedBytes);
      unreportedEntries = 0;
      unreportedBytes = 0;
    }
  }

  /** {@link FairMemory#exceeds}. */
  boolean exceeds() {
    report();
    return memory.exceeds(share);
  }

  /** Returns all memory to the account. */
  void close() {
    unreportedEntries = 0;
    unreportedBytes = 0;
    share.close();
  }
}
