package dev.rondo.topology.locations;

import io.micrometer.core.instrument.Counter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Series that live in two partitions: all counted; the first ones are named, once a minute. */
final class DuplicateSeriesDetector {
  private static final long QUIET_MS = 60_000;
  private static final int NAMED = 5;

  private final Counter counter;
  private final Consumer<String> log;
  private final List<String> named = new ArrayList<>();
  private long untold;
  private long toldMs = Long.MIN_VALUE;

  DuplicateSeriesDetector(Counter counter, Consumer<String> log) {
    this.counter = counter;
    this.log = log;
  }

  void see(String ident, int before, int now) {
    counter.increment();
    untold++;
    if (named.size() < NAMED) {
      named.add("'%s' in %d and %d".formatted(ident, before, now));
    }
  }

  /** One line of what is untold, unless the last one is younger than a minute. */
  void emit(long nowMs) {
    boolean isQuiet = toldMs != Long.MIN_VALUE && nowMs - toldMs < QUIET_MS;
    if (untold == 0 || isQuiet) {
      return;
    }
    log.accept(
        ("series that live in two partitions: %d, %s%s; a source is not keyed by series, or was not"
                + " before: what is written by the first place is not shown (keyed)")
            .formatted(untold, String.join(", ", named), untold > named.size() ? " …" : ""));
    toldMs = nowMs;
    untold = 0;
    named.clear();
  }
}
