package dev.rondo.chaos;

/**
 * How long after its end a slot of the finest archives could be read in PostgreSQL.
 *
 * @param slots how many were seen, in one segment of each partition
 * @param medianSeconds median of them
 * @param p99Seconds 99th percentile
 * @param worstSeconds the longest
 */
record Freshness(long slots, double medianSeconds, double p99Seconds, double worstSeconds) {
  String text() {
    return "slots could be read after their end within %.1f s (median), %.1f s (p99), %.1f s (worst of %d)"
        .formatted(medianSeconds, p99Seconds, worstSeconds, slots);
  }
}
