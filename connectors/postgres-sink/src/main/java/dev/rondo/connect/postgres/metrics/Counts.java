package dev.rondo.connect.postgres.metrics;

import java.util.Map;
import java.util.TreeMap;

/** Counts events by reason; reasons beyond the first {@value #REASONS} count as {@code other}. */
final class Counts {
  private static final int REASONS = 50;
  private static final String OTHER = "other";

  private final Map<String, Long> byReason = new TreeMap<>();

  /**
   * @param reason empty counts as {@code other}
   */
  void add(String reason) {
    boolean known = byReason.containsKey(reason) || byReason.size() < REASONS;
    byReason.merge(known && !reason.isEmpty() ? reason : OTHER, 1L, Long::sum);
  }

  Map<String, Long> all() {
    return new TreeMap<>(byReason);
  }
}
