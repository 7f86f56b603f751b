package dev.rondo.host;

import java.time.Clock;
import java.time.Duration;

/**
 * The times to read at: multiples of the interval since the epoch, so that every collector's points
 * fall on slot ends. Times are epoch ms.
 */
record Ticks(Clock clock, long intervalMs) {
  static final Duration SHORTEST = Duration.ofSeconds(1);

  Ticks {
    if (intervalMs < SHORTEST.toMillis() || intervalMs % 1000 != 0) {
      throw new IllegalArgumentException(
          "interval " + intervalMs + " ms is not a whole number of seconds, 1 s or more");
    }
  }

  /** The newest tick that is not in the future. */
  long latest() {
    return Math.floorDiv(clock.millis(), intervalMs) * intervalMs;
  }

  /** The first tick in the future. */
  long next() {
    return latest() + intervalMs;
  }

  /** Time left until a tick, ms; negative once it has passed. */
  long untilMs(long tick) {
    return tick - clock.millis();
  }
}
