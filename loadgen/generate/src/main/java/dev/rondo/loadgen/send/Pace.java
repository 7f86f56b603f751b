package dev.rondo.loadgen.send;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits until a turn is due. Who has fallen behind does not wait, and what is due stays due: the
 * plan is never shifted, the lag is told. Times are epoch ms; between them the monotonic clock
 * counts.
 */
final class Pace {
  private static final long MOST_PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** The clock is asked this often where nobody has to wait: it costs as much as a point. */
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
   * From now on.
   *
   * @param waits false: everything is due at once, and nothing lags
   * @param startMs when the first turn is due by the plan; where that is past, all turns are due as
   *     much later
   */
  Pace(boolean waits, long startMs, BooleanSupplier isStopped) {
    this.waits = waits;
    long clockMs = System.currentTimeMillis();
    this.aheadMs = Math.max(0, clockMs - startMs);
    this.zeroNanos = System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(clockMs);
    this.isStopped = isStopped;
  }

  /** Returns when a turn is due by the plan at {@code dueMs}, or the run is stopped. */
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

  /** How far it is behind the plan, ms. */
  long lagMs() {
    return lagMs;
  }

  /** How far it has ever been, ms. */
  long worstLagMs() {
    return worstLagMs;
  }
}
