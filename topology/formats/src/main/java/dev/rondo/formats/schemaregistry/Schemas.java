package dev.rondo.formats.schemaregistry;

import dev.rondo.formats.DroppedException;

/** The schemas of a source. Thread-safe. */
public interface Schemas {
  /** The schema with this id; throws {@link DroppedException} if it cannot be had now. */
  Schema get(SchemaId id) throws DroppedException;

  /**
   * The same schemas for the records of a topic, which may wait for them no longer than its part.
   */
  default Schemas ofTopic(String topic) {
    return this;
  }

  /** Whether records are framed. */
  default boolean isFramed() {
    return true;
  }
}
