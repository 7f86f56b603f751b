package dev.rondo.topology.consolidate;

/**
 * The instance's clock without its jumps: it begins with the clock and goes on with it, by {@link
 * #MOST_MS} at a time. A clock that is set, and a process that was frozen, do not make a series
 * silent or a row wait for long.
 */
final class MonotonicClock {
  /** It is looked at twice a second, unless the machine is very busy. */
  private static final long MOST_MS = 5_000;

  private long ms;
  private long wallMs;

  MonotonicClock(long wallMs) {
    this.ms = wallMs;
    this.wallMs = wallMs;
  }

  /** What it shows when the clock shows {@code nowMs}, epoch ms. */
  long at(long nowMs) {
    ms += Math.max(0, Math.min(nowMs - wallMs, MOST_MS));
    wallMs = nowMs;
    return ms;
  }
}
