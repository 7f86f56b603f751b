package dev.rondo.formats.schemaregistry;

import dev.rondo.formats.DroppedException;

/** The schemas of a source. Thread-safe. */
public interface Schemas {
  /** The schema with this id; throws {@link DroppedException} if it cannot be had now. */
  Schema get(SchemaId id) throws DroppedException;

  /** Whether records are framed. */
  default boolean isFramed() {
    return true;
  }
}
