package dev.rondo.topology.consolidate;

/**
 * The newest time among the points of a partition. While points come it stands still between them;
 * while none come it goes on with the clock, so that slots of a silent partition close too.
 */
final class StreamTime {
  private long newestMs;
  private long seenMs;

  /**
   * Starts at the newest point that is known from before.
   *
   * @param nowMs the {@link MonotonicClock}, as everywhere here
   */
  StreamTime(long newestMs, long nowMs) {
    this.newestMs = newestMs;
    this.seenMs = nowMs;
  }

  /**
   * A point has come.
   *
   * @param wallMs the clock, epoch ms: a sender with a faster one does not make the others silent,
   *     and time that was ahead because this one was comes back with it
   */
  void see(long tMs, long wallMs, long nowMs) {
    newestMs = Math.min(Math.max(newestMs, tMs), wallMs);
    seenMs = nowMs;
  }

  /** Newest time of a point, epoch ms; {@link Long#MIN_VALUE} before the first. */
  long newestMs() {
    return newestMs;
  }

  /** Newest time of a point and what the clock has gone on since, epoch ms. */
  long atMs(long nowMs) {
    return newestMs == Long.MIN_VALUE ? newestMs : newestMs + nowMs - seenMs;
  }
}
