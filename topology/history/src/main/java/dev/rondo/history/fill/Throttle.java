package dev.rondo.history.fill;

import java.util.concurrent.TimeUnit;

/**
 * Limits how many rows a second are read and written, averaged over transactions. Threads share the
 * limit.
 */
public final class Throttle {
  private final long rowsPerSecond;
  private long freeAtNs = System.nanoTime();

  public Throttle(long rowsPerSecond) {
    this.rowsPerSecond = rowsPerSecond;
  }

  /** Waits until {@code rows} more are within the limit. */
  public void pass(int rows) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(waitNs(rows));
  }

  private synchronized long waitNs(int rows) {
    long nowNs = System.nanoTime();
    freeAtNs = Math.max(freeAtNs, nowNs) + TimeUnit.SECONDS.toNanos(1) * rows / rowsPerSecond;
    return freeAtNs - nowNs;
  }
}
