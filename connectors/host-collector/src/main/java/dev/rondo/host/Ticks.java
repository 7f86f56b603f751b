package dev.rondo.host;

import java.time.Clock;
import java.time.Duration;

/**
 * Times of readings: multiples of the interval since the epoch, so that the points of every
 * collector fall on slot ends. Times are epoch ms.
 */
record Ticks(Clock clock, long intervalMs) {
  static final Duration SHORTEST = Duration.ofSeconds(1);

  Ticks {
    if (intervalMs < SHORTEST.toMillis() || intervalMs % 1000 != 0) {
      throw new IllegalArgumentException(
          "interval " + intervalMs + " ms is not a whole number of seconds, 1 s or more");
    }
  }

  /** Returns the newest tick that is not in the future. */
  long latest() {
    return Math.floorDiv(clock.millis(), intervalMs) * intervalMs;
  }

  /** Returns the first tick in the future. */
  long next() {
    return latest() + intervalMs;
  }

  /** Returns the time until a tick, ms; negative if it has passed. */
  long untilMs(long tick) {
    return tick - clock.millis();
  }
}
