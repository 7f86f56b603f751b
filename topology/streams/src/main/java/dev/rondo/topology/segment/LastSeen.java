package dev.rondo.topology.segment;

import java.util.Arrays;

/**
 * When the last point of each series of a segment arrived, stored or not. A series expires once it
 * has been silent for {@code expire.after}, measured twice: by the {@link ArrivalTime}, because
 * only points of others that kept arriving prove silence, and, for up to an hour, by the monotonic
 * clock, because the points of the series may only be behind the others.
 */
final class LastSeen {
  private static final long MAX_SILENT_BY_CLOCK_MS = 3_600_000;
  private static final long UNKNOWN = Long.MAX_VALUE;

  private final ArrivalTime arrival;
  private final TaskClock clock;
  private final long expireAfterMs;
  private final long silentByClockMs;
  private final long[] clockMs;

  /** {@link #UNKNOWN} before the first point since the start. */
  private final long[] arrivalMs;

  /** Monotonic clock before which no series can expire, ms. */
  private long noneExpiresBeforeMs;

  LastSeen(long expireAfterMs, ArrivalTime arrival, TaskClock clock, int width) {
    this.arrival = arrival;
    this.clock = clock;
    this.expireAfterMs = expireAfterMs;
    this.silentByClockMs = Math.min(expireAfterMs, MAX_SILENT_BY_CLOCK_MS);
    this.clockMs = new long[width];
    this.arrivalMs = new long[width];
    Arrays.fill(arrivalMs, UNKNOWN);
  }

  /** Continues a series of other ones. */
  void adopt(int series, LastSeen other, int from) {
    clockMs[series] = other.clockMs[from];
    arrivalMs[series] =
        other.arrivalMs[from] == UNKNOWN
            ? UNKNOWN
            : arrival.ms() - (other.arrival.ms() - other.arrivalMs[from]);
    noneExpiresBeforeMs = 0;
  }

  /** Starts to measure silence now: no point could arrive before. */
  void start() {
    Arrays.fill(clockMs, clock.nowMs());
    for (int series = 0; series < arrivalMs.length; series++) {
      arrivalMs[series] = Math.min(arrivalMs[series], arrival.ms());
    }
  }

  /** A point of the series has arrived. */
  void see(int series) {
    clockMs[series] = clock.nowMs();
    arrivalMs[series] = arrival.ms();
    if (noneExpiresBeforeMs - clock.nowMs() > MAX_SILENT_BY_CLOCK_MS) {
      noneExpiresBeforeMs = 0; // the first series of a segment
    }
  }

  /** When the last point of a series arrived, by the monotonic clock, ms. */
  long clockMs(int series) {
    return clockMs[series];
  }

  /** When the last point of a series arrived, by the {@link ArrivalTime}, ms. */
  long arrivalMs(int series) {
    return arrivalMs[series];
  }

  void restore(int series, long arrivalMs) {
    this.arrivalMs[series] = arrivalMs;
  }

  /** Forgets the arrival times, because a replay sends the points again. */
  void rewind() {
    Arrays.fill(arrivalMs, UNKNOWN);
  }

  /** Whether a series has been silent long enough to expire. */
  boolean isSilent(int series) {
    return arrival.ms() - arrivalMs[series] >= expireAfterMs
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
