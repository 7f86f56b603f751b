package dev.rondo.tools.fill;

import java.util.concurrent.TimeUnit;

/** Limits how many rows a second are read and written, averaged over transactions. */
final class Throttle {
  private final long rowsPerSecond;
  private long freeAtNs = System.nanoTime();

  Throttle(long rowsPerSecond) {
    this.rowsPerSecond = rowsPerSecond;
  }

  /** Waits until {@code rows} more are within the limit. */
  void pass(int rows) throws InterruptedException {
    long nowNs = System.nanoTime();
    freeAtNs = Math.max(freeAtNs, nowNs) + TimeUnit.SECONDS.toNanos(1) * rows / rowsPerSecond;
    TimeUnit.NANOSECONDS.sleep(freeAtNs - nowNs);
  }
}
