package dev.rondo.topology.decode;

import java.util.concurrent.locks.LockSupport;

/** Limits the points per second of an instance by delaying its threads. */
public final class PointRateLimit {
  /** Longest pause that may be caught up, ns. */
  private static final long BURST_NANOS = 200_000_000;

  private final long perSecond;
  private long dueNanos = System.nanoTime();

  /**
   * @param perSecond points of all threads; 0 = no limit
   */
  public PointRateLimit(long perSecond) {
    this.perSecond = perSecond;
  }

  /** Blocks until the points of earlier calls are due. */
  void take(int points) {
    if (perSecond == 0) {
      return;
    }
    long waitNanos;
    synchronized (this) {
      long nowNanos = System.nanoTime();
      dueNanos = Math.max(dueNanos, nowNanos - BURST_NANOS);
      waitNanos = dueNanos - nowNanos;
      dueNanos += points * 1_000_000_000L / perSecond;
    }
    if (waitNanos > 0) {
      LockSupport.parkNanos(waitNanos);
    }
  }
}
