package dev.rondo.topology.segment;

/**
 * The times of a task: the wall clock; a monotonic clock, by which silence and linger are measured;
 * and the stream time, which is the time of the newest point. Not safe to share between threads.
 *
 * <p>The stream time stands still between points. While none arrive it advances with the monotonic
 * clock, so that the slots of a silent partition close, too.
 */
public final class TaskClock {
  /**
   * The monotonic clock advances by at most this at a time, ms. It is read twice a second, so this
   * excludes clocks that are set and processes that were frozen.
   */
  private static final long MAX_ADVANCE_MS = 5_000;

  private long wallMs;
  private long nowMs;
  private long newestMs = Long.MIN_VALUE;
  private long newestSinceMs;
  private final long maxFutureMs;

  /** What points prove to be past, epoch ms. */
  private long provenMs = Long.MIN_VALUE;

  /**
   * Starts all clocks at {@code wallMs}, without a point.
   *
   * @param maxFutureMs how far a point may be ahead of the time at which its record was written
   */
  public TaskClock(long wallMs, long maxFutureMs) {
    this.wallMs = wallMs;
    this.maxFutureMs = maxFutureMs;
    this.nowMs = wallMs;
  }

  /** Sets the wall clock, epoch ms, and advances the monotonic clock. */
  public void update(long wallMs) {
    nowMs += Math.max(0, Math.min(wallMs - this.wallMs, MAX_ADVANCE_MS));
    this.wallMs = wallMs;
  }

  /**
   * Adds the time of a point, epoch ms. The stream time is never ahead of the wall clock: a sender
   * whose clock is ahead does not make other series silent, and after a wall clock that was ahead
   * is set back the stream time follows.
   */
  public void see(long tMs) {
    newestMs = Math.min(Math.max(newestMs, tMs), wallMs);
    newestSinceMs = nowMs;
    provenMs = Math.max(provenMs, tMs - maxFutureMs);
  }

  /** The wall clock as last updated, epoch ms. */
  public long wallMs() {
    return wallMs;
  }

  /** The monotonic clock, ms; it started at the wall clock. */
  public long nowMs() {
    return nowMs;
  }

  /**
   * The latest of both clocks and of what points prove, epoch ms: what is after it is in the
   * future, also while the wall clock is set back or was it before the start.
   */
  public long presentMs() {
    return Math.max(provenMs, Math.max(wallMs, nowMs));
  }

  /** Time of the newest point, epoch ms; {@link Long#MIN_VALUE} before the first. */
  public long newestMs() {
    return newestMs;
  }

  /** The stream time, epoch ms; {@link Long#MIN_VALUE} before the first point. */
  public long streamTimeMs() {
    return newestMs == Long.MIN_VALUE ? newestMs : newestMs + nowMs - newestSinceMs;
  }
}
