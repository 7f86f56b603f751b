package dev.rondo.formats.schemaregistry;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The schemas that topics have named, in that order, up to a maximum. While there are too many, the
 * oldest of the topic with the most is forgotten, so that none pushes out those of topics with
 * fewer. Not thread-safe.
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

  /** Adds a schema as the newest of its topic; returns the one that is forgotten for it. */
  Optional<Named> add(Named schema) {
    remove(schema);
    Optional<Named> forgotten = count == max ? Optional.of(oldestOfMost()) : Optional.empty();
    forgotten.ifPresent(this::remove);
    byTopic.computeIfAbsent(schema.topic(), added -> new LinkedHashSet<>()).add(schema.id());
    count++;
    return forgotten;
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
