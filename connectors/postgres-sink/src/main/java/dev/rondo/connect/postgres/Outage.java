package dev.rondo.connect.postgres;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Failed attempts since the last success. Not thread-safe. */
final class Outage {
  private final Clock clock;
  private Instant since;
  private int attempts;

  Outage(Clock clock) {
    this.clock = clock;
  }

  /** Counts a failed attempt; returns true for the first. */
  boolean failed() {
    if (attempts == 0) {
      since = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    }
    attempts++;
    return attempts == 1;
  }

  boolean isOngoing() {
    return attempts > 0;
  }

  void end() {
    attempts = 0;
  }

  /** {@code attempt 3 since 2026-01-31T12:00:00Z}. */
  @Override
  public String toString() {
    return "attempt %d since %s".formatted(attempts, since);
  }
}
