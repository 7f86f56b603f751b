package dev.rondo.formats;

import java.util.concurrent.TimeUnit;

/**
 * Converts times since 1970 in one unit to epoch ms.
 *
 * @param unit from nanoseconds to days
 */
public record EpochTime(TimeUnit unit) {
  private static final double NANOS_PER_MS = 1e6;

  /** Rounds down to ms, also for negative times. */
  public long ms(long time) throws DroppedException {
    long unitsPerMs = unit.convert(1, TimeUnit.MILLISECONDS);
    if (unitsPerMs > 0) {
      return Math.floorDiv(time, unitsPerMs);
    }
    long ms = unit.toMillis(time);
    if (ms == Long.MIN_VALUE || ms == Long.MAX_VALUE) {
      throw DroppedException.unreadable(
          "time %d %s does not fit 64 bits of ms".formatted(time, unit));
    }
    return ms;
  }

  /** Rounds to the nearest ms. */
  public long ms(double time) {
    return Math.round(time * (unit.toNanos(1) / NANOS_PER_MS));
  }
}
