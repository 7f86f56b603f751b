package dev.rondo.formats.schemaregistry;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Eviction order of schemas, up to a maximum. Evicts the oldest of the topic with the most, so that
 * a topic cannot displace the schemas of topics with fewer. Not thread-safe.
 */
final class NamedSchemas {
  private final int max;
  private final Map<String, Set<SchemaId>> byTopic = new HashMap<>();
  private int count;

  /** A schema that a topic has named. */
  record Named(String topic, SchemaId id) {}

  NamedSchemas(int max) {
    this.max = max;
  }

  /** Adds a schema as the newest of its topic; returns the evicted one. */
  Optional<Named> add(Named schema) {
    remove(schema);
    Optional<Named> evicted = count == max ? Optional.of(oldestOfMost()) : Optional.empty();
    evicted.ifPresent(this::remove);
    byTopic.computeIfAbsent(schema.topic(), added -> new LinkedHashSet<>()).add(schema.id());
    count++;
    return evicted;
  }

  private void remove(Named schema) {
    Set<SchemaId> ofTopic = byTopic.getOrDefault(schema.topic(), Set.of());
    if (ofTopic.contains(schema.id())) {
      ofTopic.remove(schema.id());
      count--;
    }
    if (ofTopic.isEmpty()) {
      byTopic.remove(schema.topic());
    }
  }

  private Named oldestOfMost() {
    var most =
        byTopic.entrySet().stream()
            .max(Comparator.comparingInt(topic -> topic.getValue().size()))
            .orElseThrow();
    return new Named(most.getKey(), most.getValue().iterator().next());
  }
}
