package dev.rondo.formats;

import java.util.concurrent.TimeUnit;

/**
 * Times of one unit, since 1970, as epoch ms.
 *
 * @param unit from nanoseconds to days
 */
public record EpochTime(TimeUnit unit) {
  private static final double NANOS_A_MS = 1e6;

  /** The ms in which {@code time} is: that before it, also where it is negative. */
  public long ms(long time) throws DroppedException {
    long timesAMs = unit.convert(1, TimeUnit.MILLISECONDS);
    if (timesAMs > 0) {
      return Math.floorDiv(time, timesAMs);
    }
    long ms = unit.toMillis(time);
    if (ms == Long.MIN_VALUE || ms == Long.MAX_VALUE) {
      throw DroppedException.unreadable("time %d %s is beyond all years".formatted(time, unit));
    }
    return ms;
  }

  /** The nearest ms. */
  public long ms(double time) {
    return Math.round(time * (unit.toNanos(1) / NANOS_A_MS));
  }
}
