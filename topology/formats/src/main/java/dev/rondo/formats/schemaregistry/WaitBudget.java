package dev.rondo.formats.schemaregistry;

/**
 * Bounds the sum of waits: ten timeouts at once, and a tenth of the time after that. So the threads
 * that read records never wait long enough to be taken for dead ({@code max.poll.interval.ms}, five
 * minutes), even if every record names another schema. Thread-safe.
 */
final class WaitBudget {
  private static final int TIMEOUTS = 10;
  private static final int SHARE = 10;

  private final long mostNanos;
  private long leftNanos;
  private long filledNanos;

  WaitBudget(long timeoutNanos) {
    this.mostNanos = TIMEOUTS * timeoutNanos;
    this.leftNanos = mostNanos;
    this.filledNanos = System.nanoTime();
  }

  /** Takes up to {@code nanos}; returns what the budget has of it, maybe 0. */
  synchronized long take(long nanos, long nowNanos) {
    long refill = Math.max(0, (nowNanos - filledNanos) / SHARE);
    leftNanos = Math.min(mostNanos, leftNanos + refill);
    filledNanos = Math.max(filledNanos, nowNanos);
    long taken = Math.min(nanos, leftNanos);
    leftNanos -= taken;
    return taken;
  }

  /** Returns what was taken and not waited; negative if the wait took longer. */
  synchronized void giveBack(long nanos) {
    leftNanos += nanos;
  }
}
