package dev.rondo.host;

import java.time.Clock;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts dropped records and logs them: the first at once, then at most once a minute, the rest on
 * close. Thread-safe.
 */
final class DropLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DropLog.class);
  private static final Duration QUIET = Duration.ofMinutes(1);

  private final Clock clock;
  private final Consumer<String> warn;
  private long total;
  private long logged;
  private long loggedAtMs = Long.MIN_VALUE;
  private String lastReason = "";

  DropLog(Clock clock) {
    this(clock, LOG::warn);
  }

  DropLog(Clock clock, Consumer<String> warn) {
    this.clock = clock;
    this.warn = warn;
  }

  synchronized void dropped(String reason) {
    total++;
    lastReason = reason;
    long nowMs = clock.millis();
    if (logged == 0 || nowMs - loggedAtMs >= QUIET.toMillis()) {
      log(nowMs);
    }
  }

  synchronized long total() {
    return total;
  }

  @Override
  public synchronized void close() {
    if (total > logged) {
      log(clock.millis());
    }
  }

  private void log(long nowMs) {
    warn.accept(
        "dropped %d records, %d since the start; last reason: %s"
            .formatted(total - logged, total, lastReason));
    logged = total;
    loggedAtMs = nowMs;
  }
}
