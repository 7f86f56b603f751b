package dev.rondo.formats.schemaregistry;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Lookups of schemas that have failed lately, by topic: one that is repeated would fail again.
 * While there are too many, the oldest of the topic with the most are forgotten. Thread-safe.
 */
final class FailedLookups {
  static final int MAX = 10_000;

  private final long retryNanos;
  private final Map<String, Map<SchemaId, Failure>> byTopic = new HashMap<>();
  private int count;

  private record Failure(String message, long untilNanos) {}

  /**
   * @param retryNanos time before a failed lookup is repeated
   */
  FailedLookups(long retryNanos) {
    this.retryNanos = retryNanos;
  }

  /** A lookup has failed for a topic. */
  synchronized void add(String topic, SchemaId id, String message) {
    remove(topic, id);
    if (count == MAX) {
      String most =
          byTopic.entrySet().stream()
              .max(Comparator.comparingInt(failures -> failures.getValue().size()))
              .orElseThrow()
              .getKey();
      remove(most, byTopic.get(most).keySet().iterator().next());
    }
    byTopic
        .computeIfAbsent(topic, added -> new LinkedHashMap<>())
        .put(id, new Failure(message, System.nanoTime() + retryNanos));
    count++;
  }

  private void remove(String topic, SchemaId id) {
    Map<SchemaId, Failure> failures = byTopic.getOrDefault(topic, Map.of());
    if (failures.containsKey(id)) {
      failures.remove(id);
      count--;
    }
    if (failures.isEmpty()) {
      byTopic.remove(topic);
    }
  }

  /** Why the last lookup failed, if it is too early for another one; otherwise null. */
  synchronized String message(String topic, SchemaId id) {
    Failure failure = byTopic.getOrDefault(topic, Map.of()).get(id);
    return failure == null || System.nanoTime() - failure.untilNanos() > 0
        ? null
        : failure.message();
  }
}
