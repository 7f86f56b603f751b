package dev.rondo.schemas;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.apache.avro.SchemaParser;
import org.apache.avro.message.SchemaStore;

/**
 * Finds the previous schemas of a message: {@code previous/MESSAGE-1.avsc}, {@code -2} and so on.
 * Their records are read as the current message; newer fields get their defaults.
 */
final class PreviousSchemas {
  private PreviousSchemas() {}

  /** Returns all previous schemas of {@code message}, by fingerprint; none if it never changed. */
  static SchemaStore of(String message) {
    var schemas = new SchemaStore.Cache();
    for (int version = 1; add(schemas, message + "-" + version + ".avsc"); version++) {}
    return schemas;
  }

  /** Returns false if there is no such file. */
  private static boolean add(SchemaStore.Cache schemas, String name) {
    try (InputStream file = PreviousSchemas.class.getResourceAsStream("previous/" + name)) {
      if (file == null) {
        return false;
      }
      schemas.addSchema(new SchemaParser().parse(file).mainSchema());
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException("failed to read previous/" + name, e);
    }
  }
}
