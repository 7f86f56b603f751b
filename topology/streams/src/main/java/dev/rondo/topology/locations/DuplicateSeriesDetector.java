package dev.rondo.topology.locations;

import io.micrometer.core.instrument.Counter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Counts series that appear in two partitions, and logs some of them once a minute. */
final class DuplicateSeriesDetector {
  private static final long LOG_INTERVAL_MS = 60_000;
  private static final int MAX_NAMED = 5;

  private final Counter counter;
  private final Consumer<String> log;
  private final List<String> named = new ArrayList<>();
  private long unreported;
  private long loggedMs = Long.MIN_VALUE;

  DuplicateSeriesDetector(Counter counter, Consumer<String> log) {
    this.counter = counter;
    this.log = log;
  }

  void add(String ident, int before, int now) {
    counter.increment();
    unreported++;
    if (named.size() < MAX_NAMED) {
      named.add("'%s' in %d and %d".formatted(ident, before, now));
    }
  }

  /** Logs the series since the last line, at most one line a minute. */
  void log(long nowMs) {
    boolean isTooSoon = loggedMs != Long.MIN_VALUE && Math.abs(nowMs - loggedMs) < LOG_INTERVAL_MS;
    if (unreported == 0 || isTooSoon) {
      return;
    }
    log.accept(
        ("%d series are in two partitions: %s%s; a source is declared keyed but is not, or its keyed"
                + " has changed: values that the first partition writes are not shown (keyed)")
            .formatted(
                unreported, String.join(", ", named), unreported > named.size() ? " …" : ""));
    loggedMs = nowMs;
    unreported = 0;
    named.clear();
  }
}
