package dev.rondo.topology.order;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the points that wait in all tasks of an instance, so that they do not take its heap. Safe
 * to share between threads.
 */
public final class WaitingRoom {
  /** Heap of a point that waits in a batch of its own, bytes; in larger ones it is half as much. */
  private static final long POINT_BYTES = 500;

  /** The part of the heap that they may take. */
  private static final int HEAP_SHARE = 4;

  private final long maxPoints;
  private final AtomicLong points = new AtomicLong();

  /**
   * Nothing waits.
   *
   * @param maxPoints most that should wait
   */
  public WaitingRoom(long maxPoints) {
    this.maxPoints = maxPoints;
  }

  /** Of a quarter of the heap. */
  public static WaitingRoom ofHeap() {
    return new WaitingRoom(Runtime.getRuntime().maxMemory() / HEAP_SHARE / POINT_BYTES);
  }

  void take(int more) {
    points.addAndGet(more);
  }

  void give(int less) {
    points.addAndGet(-less);
  }

  boolean isOverfull() {
    return points.get() > maxPoints;
  }

  /** How many points wait. */
  public long points() {
    return points.get();
  }
}
