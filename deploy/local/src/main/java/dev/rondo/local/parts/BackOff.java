package dev.rondo.local.parts;

import java.time.Duration;

/** Exponential backoff: 1 s, doubled for each attempt, at most 30 s. */
final class BackOff {
  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private Duration next = FIRST;

  Duration next() {
    Duration pause = next;
    Duration doubled = pause.multipliedBy(2);
    next = doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
    return pause;
  }
}
