package dev.rondo.tools.why.facts;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times and lengths of time for people. */
public final class Times {
  private Times() {}

  /** A time without milliseconds, ISO 8601 in UTC. */
  public static String time(long ms) {
    return Instant.ofEpochMilli(ms).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** A length of time in its largest units, such as {@code 2 min 5 s}. */
  public static String span(long ms) {
    long s = Math.round(ms / 1000.0);
    if (s < 60) {
      return s + " s";
    }
    if (s < 3600) {
      return s / 60 + " min" + (s % 60 == 0 ? "" : " " + s % 60 + " s");
    }
    return s < 86_400
        ? s / 3600 + " h " + s % 3600 / 60 + " min"
        : s / 86_400 + " d " + s % 86_400 / 3600 + " h";
  }
}
