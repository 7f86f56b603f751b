package dev.rondo.schemas;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.apache.avro.SchemaParser;
import org.apache.avro.message.SchemaStore;

/**
 * The schemas that a message had before: {@code former/MESSAGE-1.avsc}, {@code -2} and so on. What
 * was written by one of them is read as the message is now, a field added since by its default.
 */
final class FormerSchemas {
  private FormerSchemas() {}

  /** All former schemas of {@code message}, to be found by their fingerprints. */
  static SchemaStore of(String message) {
    var former = new SchemaStore.Cache();
    for (int version = 1; add(former, message + "-" + version + ".avsc"); version++) {}
    return former;
  }

  /** Returns false where there is no such file. */
  private static boolean add(SchemaStore.Cache former, String name) {
    try (InputStream file = FormerSchemas.class.getResourceAsStream("former/" + name)) {
      if (file == null) {
        return false;
      }
      former.addSchema(new SchemaParser().parse(file).mainSchema());
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException("former/" + name + " cannot be read", e);
    }
  }
}
