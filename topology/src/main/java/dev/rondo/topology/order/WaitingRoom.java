package dev.rondo.topology.order;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what waits in all tasks of an instance, so that it does not take its heap. Safe to share
 * between threads.
 */
public final class WaitingRoom {
  /** Heap of a batch and of each of its points, bytes, with what is written of it. */
  private static final long BATCH_BYTES = 256;

  private static final long POINT_BYTES = 240;

  /** The part of the heap that they may take. */
  private static final int HEAP_SHARE = 4;

  private final long maxBytes;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong points = new AtomicLong();

  private WaitingRoom(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Nothing waits; a quarter of the heap is for it. */
  public static WaitingRoom ofHeap() {
    return new WaitingRoom(Runtime.getRuntime().maxMemory() / HEAP_SHARE);
  }

  /** Nothing waits; for so many batches of one point. */
  public static WaitingRoom of(long points) {
    return new WaitingRoom(points * (BATCH_BYTES + POINT_BYTES));
  }

  void take(Batch batch) {
    add(1, batch.points().size());
  }

  void give(Batch batch) {
    give(1, batch.points().size());
  }

  /** So many leave together. */
  void give(long batches, long points) {
    add(-batches, -points);
  }

  private void add(long moreBatches, long morePoints) {
    bytes.addAndGet(moreBatches * BATCH_BYTES + morePoints * POINT_BYTES);
    points.addAndGet(morePoints);
  }

  boolean isOverfull() {
    return bytes.get() > maxBytes;
  }

  boolean isHalfFull() {
    return bytes.get() > maxBytes / 2;
  }

  /** How many points wait. */
  public long points() {
    return points.get();
  }
}
