package dev.rondo.topology.order;

import dev.rondo.schemas.Point;
import dev.rondo.topology.memory.FairMemory;
import dev.rondo.topology.memory.MemoryShare;
import java.util.List;

/**
 * Counts the heap of the buffered points of one topic in one merge, and of their changelog entries.
 * {@code MergeMemoryTest} compares the figures with a real heap. {@link #report} updates the
 * instance's account; it is not called for every point because all threads share that account.
 */
final class MergeMemory {
  private static final long BATCH_BYTES = 128;
  private static final long POINT_BYTES = 80;
  private static final long SERIES_BYTES = 144;
  private static final long QUEUE_BYTES = 32;

  /** Bytes counted here before the instance's account is updated. */
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

  /** Returns the most heap that decoded points can take, each with its own series. */
  static long estimatedBytes(List<Point> points) {
    long bytes = BATCH_BYTES;
    for (Point point : points) {
      bytes += POINT_BYTES + SERIES_BYTES + QUEUE_BYTES + 2L * point.getIdent().length();
    }
    return bytes;
  }

  /** Heap of a batch; the points of a series share one ident string. */
  private static long bytes(Batch batch) {
    long bytes = BATCH_BYTES;
    for (Point point : batch.points()) {
      bytes += POINT_BYTES + point.getIdent().length();
    }
    return bytes;
  }

  /** Counts a series that the index does not know. */
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

  /** Updates the instance's account. */
  void report() {
    if (unreportedEntries != 0 || unreportedBytes != 0) {
      share.add(unreportedEntries, unreportedBytes);
      unreportedEntries = 0;
      unreportedBytes = 0;
    }
  }

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
