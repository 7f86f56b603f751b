package dev.rondo.topology.segment;

import java.util.Arrays;

/**
 * When the last point of each series of a segment arrived, stored or not. A series expires once it
 * has been silent for {@code expire.after}, measured twice: by the {@link SilenceClock}, because
 * only points of others that kept arriving prove silence, and, for up to an hour, by the monotonic
 * clock, because the points of the series may only be behind the others.
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

  /** Monotonic clock before which no series can expire, ms. */
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

  /** Continues a series of other ones. */
  void adopt(int series, LastSeen other, int from) {
    clockMs[series] = other.clockMs[from];
    seenMs[series] =
        other.seenMs[from] == UNKNOWN
            ? UNKNOWN
            : silence.ms() - (other.silence.ms() - other.seenMs[from]);
    noneExpiresBeforeMs = 0;
  }

  /** Starts to measure silence now: no point could arrive before. */
  void start() {
    Arrays.fill(clockMs, clock.nowMs());
    for (int series = 0; series < seenMs.length; series++) {
      seenMs[series] = Math.min(seenMs[series], silence.ms());
    }
  }

  /** A point of the series has arrived. */
  void see(int series) {
    clockMs[series] = clock.nowMs();
    seenMs[series] = silence.ms();
    if (noneExpiresBeforeMs - clock.nowMs() > MAX_SILENT_BY_CLOCK_MS) {
      noneExpiresBeforeMs = 0; // the first series of a segment
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

  /** Forgets when series were seen, because a replay sends the points again. */
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

  /** The next series can expire when the one that was last seen at {@code oldestMs} does. */
  void expireNoneBefore(long oldestMs) {
    noneExpiresBeforeMs = oldestMs + silentByClockMs;
  }
}
