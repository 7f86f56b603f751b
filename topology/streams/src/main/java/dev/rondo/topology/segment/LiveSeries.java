package dev.rondo.topology.segment;

import dev.rondo.topology.archive.OpenSlots;

/** How many series of a segment have recent points: a row is buffered until all have a value. */
final class LiveSeries {
  private static final long NEVER = Long.MIN_VALUE;

  private int count;

  /** Oldest last point of any series, epoch ms. */
  private long oldestLastMs;

  /** Stream time up to which the count is valid unless the segment changes, epoch ms. */
  private long validUntilMs = NEVER;

  int count() {
    return count;
  }

  /** Adds a series that has its first point. */
  void add() {
    count++;
  }

  /** The segment has changed: the next {@link #update} counts again. */
  void invalidate() {
    validUntilMs = NEVER;
  }

  /**
   * Counts the series that are not silent.
   *
   * @param silenceMs after which a series is silent
   */
  void update(OpenSlots slots, int width, long streamTimeMs, long silenceMs) {
    if (streamTimeMs <= validUntilMs) {
      return;
    }
    long oldestLiveMs = Long.MAX_VALUE - silenceMs;
    int live = 0;
    oldestLastMs = Long.MAX_VALUE;
    for (int series = 0; series < width; series++) {
      long lastMs = slots.lastMs(series);
      if (lastMs >= streamTimeMs - silenceMs) {
        live++;
        oldestLiveMs = Math.min(oldestLiveMs, lastMs);
      }
      if (lastMs != Long.MIN_VALUE) {
        oldestLastMs = Math.min(oldestLastMs, lastMs);
      }
    }
    count = live;
    validUntilMs = oldestLiveMs + silenceMs;
  }

  /** Whether a series has had no point since {@code sinceMs}, epoch ms, as last updated. */
  boolean anySilentSince(long sinceMs) {
    return oldestLastMs <= sinceMs;
  }
}
