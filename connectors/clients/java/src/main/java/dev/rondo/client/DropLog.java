package dev.rondo.client;

import java.time.Clock;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPLogger;

/**
 * Logs dropped points: at once, then at most once a minute, and the sum at the end. Without an
 * slf4j provider, lines go to standard error.
 */
final class DropLog {
  private static final Logger LOG = LoggerFactory.getLogger(RondoClient.class);
  private static final long QUIET_MS = Duration.ofMinutes(1).toMillis();

  private final Clock clock;
  private final Consumer<String> warn;
  private long points;
  private String lastReason = "";
  private long quietUntilMs = Long.MIN_VALUE;

  DropLog(Clock clock) {
    this(
        clock,
        LOG instanceof NOPLogger ? line -> System.err.println("rondo-client: " + line) : LOG::warn);
  }

  DropLog(Clock clock, Consumer<String> warn) {
    this.clock = clock;
    this.warn = warn;
  }

  synchronized void dropped(long points, String reason) {
    this.points += points;
    lastReason = reason;
    long nowMs = clock.millis();
    if (nowMs >= quietUntilMs) {
      warn.accept("dropped %d points; last reason: %s".formatted(this.points, reason));
      this.points = 0;
      quietUntilMs = nowMs + QUIET_MS;
    }
  }

  /** Logs and returns how many of all points were not delivered; {@code ""} if none. */
  synchronized String close(long undelivered, long published) {
    if (undelivered == 0) {
      return "";
    }
    String line =
        "%d of %d points were not delivered; last reason: %s"
            .formatted(undelivered, undelivered + published, lastReason);
    warn.accept(line);
    return line;
  }
}
