package dev.rondo.formats.schemaregistry;

import dev.rondo.formats.DroppedException;

/** The schemas of a source. Thread-safe. */
public interface Schemas {
  /** Returns the schema with this id; throws if it is not available now. */
  Schema get(SchemaId id) throws DroppedException;

  /** Returns the same schemas for the records of a topic, within its share of waits and lookups. */
  default Schemas ofTopic(String topic) {
    return this;
  }

  /** Whether records are framed. */
  default boolean isFramed() {
    return true;
  }
}
