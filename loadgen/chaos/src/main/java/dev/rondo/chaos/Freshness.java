package dev.rondo.chaos;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * How long after its end a slot of the finest archives could be read in PostgreSQL.
 *
 * @param slots how many were seen, in one segment of each partition
 * @param medianSeconds median of them
 * @param p99Seconds 99th percentile
 * @param worstSeconds the longest
 * @param worst end of the slot that took the longest
 * @param firstMinuteSeconds the longest of the slots that ended in the first minute, while all
 *     series are new; the other figures are without them
 */
record Freshness(
    long slots,
    double medianSeconds,
    double p99Seconds,
    double worstSeconds,
    Instant worst,
    double firstMinuteSeconds) {
  String text() {
    if (slots == 0) {
      return "slots of the first minute could be read after their end within %.1f s"
          .formatted(firstMinuteSeconds);
    }
    return ("slots could be read after their end within %.1f s (median), %.1f s (p99), %.1f s"
            + " (worst of %d, that of %s); those of the first minute within %.1f s")
        .formatted(
            medianSeconds,
            p99Seconds,
            worstSeconds,
            slots,
            worst.truncatedTo(ChronoUnit.SECONDS),
            firstMinuteSeconds);
  }
}
