package dev.rondo.formats.schemaregistry;

import java.io.IOException;

/** The registry has answered that it has no such schema. */
final class NoSuchSchemaException extends IOException {
  private static final long serialVersionUID = 1L;

  NoSuchSchemaException(String message) {
    super(message);
  }
}
