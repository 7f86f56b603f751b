package dev.rondo.formats.schemaregistry;

import dev.rondo.formats.schemaregistry.NamedSchemas.Named;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Caches schemas for all topics; each counts for the topic that looked it up. When full, evicts the
 * oldest of the topic with the most. Thread-safe.
 */
final class KnownSchemas {
  /** More than a registry has; ids come from records. */
  static final int MAX = 20_000;

  private final Map<SchemaId, Schema> known = new ConcurrentHashMap<>();
  private final NamedSchemas named = new NamedSchemas(MAX);

  /** Returns the schema; null if it is not cached. */
  Schema get(SchemaId id) {
    return known.get(id);
  }

  synchronized void add(String topic, SchemaId id, Schema schema) {
    if (known.putIfAbsent(id, schema) == null) {
      named.add(new Named(topic, id)).ifPresent(evicted -> known.remove(evicted.id()));
    }
  }
}
