package dev.rondo.history.job;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.ThreadLocalRandom;

/** Ids of jobs, which begin with the second of their start: {@code 20261125-150000-3f2a}. */
final class JobId {
  private static final DateTimeFormatter SECOND =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  private JobId() {}

  /** An id that no other job has: on any machine several may start in one second. */
  static String next(Instant now) {
    return "%s-%04x".formatted(SECOND.format(now), ThreadLocalRandom.current().nextInt(1 << 16));
  }
}
