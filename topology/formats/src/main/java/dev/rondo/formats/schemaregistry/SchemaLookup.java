package dev.rondo.formats.schemaregistry;

import java.io.IOException;

/** Looks schemas up in a registry, one request after the other. Thread-safe. */
public interface SchemaLookup {
  /** The URL of the registry. */
  String registry();

  /**
   * Reads a schema and all that it refers to.
   *
   * @throws IOException if the registry does not answer, or has no such schema; the message says
   *     which registry and why
   */
  Schema read(SchemaId id) throws IOException, InterruptedException;
}
