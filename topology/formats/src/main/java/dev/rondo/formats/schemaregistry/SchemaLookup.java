package dev.rondo.formats.schemaregistry;

import java.io.IOException;

/** Looks schemas up in a registry. Thread-safe. */
public interface SchemaLookup {
  /** The URL of the registry. */
  String registry();

  /**
   * Reads a schema and its references.
   *
   * @throws IOException if the registry does not answer, or has no such schema; the message names
   *     the registry and the reason
   */
  Schema read(SchemaId id) throws IOException, InterruptedException;
}
