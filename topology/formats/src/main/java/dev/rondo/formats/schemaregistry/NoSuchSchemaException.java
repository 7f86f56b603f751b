package dev.rondo.formats.schemaregistry;

import java.io.IOException;

/** Reports that the registry has no such schema. */
final class NoSuchSchemaException extends IOException {
  private static final long serialVersionUID = 1L;

  NoSuchSchemaException(String message) {
    super(message);
  }
}
