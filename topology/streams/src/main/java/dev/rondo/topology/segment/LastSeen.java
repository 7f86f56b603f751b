package dev.rondo.topology.segment;

import java.util.Arrays;

/**
 * When the last point of each series of a segment arrived, stored or not. A series expires once it
 * has been silent for {@code expire.after} by two clocks: the {@link SilenceClock}, as only
 * arriving points of other series prove silence; and, for up to an hour, the monotonic clock, as
 * the points of the series may only be behind the others.
 */
final class LastSeen {
  private static final long MAX_SILENT_BY_CLOCK_MS = 3_600_000;
  private static final long UNKNOWN = Long.MAX_VALUE;

  private final SilenceClock silence;
  private final TaskClock clock;
  private final long expireAfterMs;
  private final long silentByClockMs;
  private final long[] clockMs;

  /** {@link #UNKNOWN} before the first point since the start. */
  private final long[] seenMs;

  /** Earliest time at which a series can expire, by the monotonic clock, ms. */
  private long noneExpiresBeforeMs;

  LastSeen(long expireAfterMs, SilenceClock silence, TaskClock clock, int width) {
    this.silence = silence;
    this.clock = clock;
    this.expireAfterMs = expireAfterMs;
    this.silentByClockMs = Math.min(expireAfterMs, MAX_SILENT_BY_CLOCK_MS);
    this.clockMs = new long[width];
    this.seenMs = new long[width];
    Arrays.fill(seenMs, UNKNOWN);
  }

  /** Continues a series of another segment. */
  void adopt(int series, LastSeen other, int from) {
    clockMs[series] = other.clockMs[from];
    seenMs[series] =
        other.seenMs[from] == UNKNOWN
            ? UNKNOWN
            : silence.ms() - (other.silence.ms() - other.seenMs[from]);
    noneExpiresBeforeMs = 0;
  }

  /** Starts measuring silence now, as no point could arrive before. */
  void start() {
    Arrays.fill(clockMs, clock.nowMs());
    for (int series = 0; series < seenMs.length; series++) {
      seenMs[series] = Math.min(seenMs[series], silence.ms());
    }
  }

  /** Marks the arrival of a point. */
  void see(int series) {
    clockMs[series] = clock.nowMs();
    seenMs[series] = silence.ms();
    if (noneExpiresBeforeMs - clock.nowMs() > MAX_SILENT_BY_CLOCK_MS) {
      noneExpiresBeforeMs = 0; // the first series of the segment
    }
  }

  /** When the last point of a series arrived, by the monotonic clock, ms. */
  long clockMs(int series) {
    return clockMs[series];
  }

  /** When the last point of a series arrived, by the {@link SilenceClock}, ms. */
  long seenMs(int series) {
    return seenMs[series];
  }

  void restore(int series, long seenMs) {
    this.seenMs[series] = seenMs;
  }

  /** Forgets all arrivals, because a replay sends the points again. */
  void rewind() {
    Arrays.fill(seenMs, UNKNOWN);
  }

  /** Whether a series has been silent long enough to expire. */
  boolean isSilent(int series) {
    return silence.ms() - seenMs[series] >= expireAfterMs
        && clock.nowMs() - clockMs[series] >= silentByClockMs;
  }

  /** Whether any series can have expired since {@link #expireNoneBefore}. */
  boolean mayHaveExpired() {
    return clock.nowMs() >= noneExpiresBeforeMs;
  }

  /**
   * Sets the earliest arrival of all series, by the monotonic clock, ms; none expires before that
   * one does.
   */
  void expireNoneBefore(long oldestMs) {
    noneExpiresBeforeMs = oldestMs + silentByClockMs;
  }
}
