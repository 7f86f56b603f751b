package dev.rondo.client;

import java.time.Clock;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs what is dropped: at once for the first time, then at most once a minute. */
final class DropLog {
  private static final Logger LOG = LoggerFactory.getLogger(RondoClient.class);
  private static final long QUIET_MS = Duration.ofMinutes(1).toMillis();

  private final Clock clock;
  private final Consumer<String> warn;
  private long points;
  private long quietUntilMs = Long.MIN_VALUE;

  DropLog(Clock clock) {
    this(clock, LOG::warn);
  }

  DropLog(Clock clock, Consumer<String> warn) {
    this.clock = clock;
    this.warn = warn;
  }

  synchronized void dropped(long points, String reason) {
    this.points += points;
    long nowMs = clock.millis();
    if (nowMs >= quietUntilMs) {
      warn.accept("dropped %d points; the last: %s".formatted(this.points, reason));
      this.points = 0;
      quietUntilMs = nowMs + QUIET_MS;
    }
  }
}
