package dev.rondo.loadgen.send;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits until a turn is due. A generator that has fallen behind does not wait; the plan is never
 * shifted, so the lag includes every delay. Times are epoch ms, advanced by the monotonic clock.
 */
final class Pace {
  private static final long MOST_PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Reads the clock only every so many turns while behind: a reading costs as much as a point. */
  private static final int TURNS_A_LOOK = 32;

  private final boolean waits;
  private final long aheadMs;
  private final long zeroNanos;
  private final BooleanSupplier isStopped;
  private long nowMs;
  private int turnsUnseen;
  private volatile long lagMs;
  private volatile long worstLagMs;

  /**
   * Starts the clock.
   *
   * @param waits false: every turn is due at once, and the lag is 0
   * @param startMs planned time of the first turn; if it is past, all turns are due later by the
   *     same amount
   */
  Pace(boolean waits, long startMs, BooleanSupplier isStopped) {
    this.waits = waits;
    long clockMs = System.currentTimeMillis();
    this.aheadMs = Math.max(0, clockMs - startMs);
    this.zeroNanos = System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(clockMs);
    this.isStopped = isStopped;
  }

  /** Returns when the planned time {@code dueMs} has come, or the run is stopped. */
  void await(long dueMs) {
    if (!waits) {
      return;
    }
    long atMs = dueMs + aheadMs;
    if (atMs <= nowMs && ++turnsUnseen < TURNS_A_LOOK) {
      return;
    }
    turnsUnseen = 0;
    look();
    while (nowMs < atMs && !isStopped.getAsBoolean()) {
      LockSupport.parkNanos(
          this, Math.min(MOST_PARK_NANOS, TimeUnit.MILLISECONDS.toNanos(atMs) - sinceZero()));
      look();
    }
    lagMs = Math.max(0, nowMs - atMs);
    if (lagMs > worstLagMs) {
      worstLagMs = lagMs;
    }
  }

  private void look() {
    nowMs = TimeUnit.NANOSECONDS.toMillis(sinceZero());
  }

  private long sinceZero() {
    return System.nanoTime() - zeroNanos;
  }

  /** Current lag behind the plan, ms. */
  long lagMs() {
    return lagMs;
  }

  /** Largest lag so far, ms. */
  long worstLagMs() {
    return worstLagMs;
  }
}
