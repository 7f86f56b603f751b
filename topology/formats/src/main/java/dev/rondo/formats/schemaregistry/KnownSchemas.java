package dev.rondo.formats.schemaregistry;

import dev.rondo.formats.schemaregistry.NamedSchemas.Named;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Schemas that were found, for all topics. One counts for the topic that has looked it up; while
 * there are too many, the oldest of the topic with the most are forgotten. Thread-safe.
 */
final class KnownSchemas {
  /** More than a registry has; ids come from records. */
  static final int MAX = 20_000;

  private final Map<SchemaId, Schema> known = new ConcurrentHashMap<>();
  private final NamedSchemas named = new NamedSchemas(MAX);

  /** The schema; null if it is not known. */
  Schema get(SchemaId id) {
    return known.get(id);
  }

  /** A topic has looked a schema up. */
  synchronized void add(String topic, SchemaId id, Schema schema) {
    if (known.putIfAbsent(id, schema) == null) {
      named.add(new Named(topic, id)).ifPresent(forgotten -> known.remove(forgotten.id()));
    }
  }
}
