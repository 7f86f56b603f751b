package dev.rondo.topology.decode;

import java.util.concurrent.locks.LockSupport;

/** Delays the threads of an instance so that they pass on a number of points a second. */
public final class PointRateLimit {
  /** Time that may be caught up with, ns. */
  private static final long BURST_NANOS = 200_000_000;

  private final long perSecond;
  private long dueNanos = System.nanoTime();

  /**
   * @param perSecond points of all threads; 0 = no limit
   */
  public PointRateLimit(long perSecond) {
    this.perSecond = perSecond;
  }

  /** Waits until the points before these are due. */
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
