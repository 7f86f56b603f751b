package dev.rondo.topology.segment;

/**
 * The times of a task: the wall clock; a monotonic clock, which measures silence and linger; and
 * the stream time, the time of the newest point. Not safe to share between threads.
 *
 * <p>While no points arrive, the stream time advances with the monotonic clock, so that the slots
 * of a silent partition close, too.
 */
public final class TaskClock {
  /**
   * Largest advance of the monotonic clock, ms. It is updated twice a second, so a larger one means
   * a clock that was set or a process that was frozen.
   */
  private static final long MAX_ADVANCE_MS = 5_000;

  private long wallMs;
  private long nowMs;
  private long newestMs = Long.MIN_VALUE;
  private long newestSinceMs;
  private final long maxFutureMs;

  /** Time that points prove to be past, epoch ms. */
  private long provenMs = Long.MIN_VALUE;

  /**
   * Starts all clocks at {@code wallMs}, without a point.
   *
   * @param maxFutureMs how far a point may be ahead of the time of its record, ms
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
   * Adds the time of a point, epoch ms. The stream time is capped at the wall clock: a sender whose
   * clock is ahead does not make other series silent, and the stream time follows a wall clock that
   * is set back.
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
   * The present, epoch ms: the latest of both clocks and of the time that points prove to be past.
   * It does not follow a wall clock that is or was set back.
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
