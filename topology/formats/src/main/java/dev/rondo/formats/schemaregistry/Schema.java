package dev.rondo.formats.schemaregistry;

import java.util.List;

/**
 * The text of a schema.
 *
 * @param label names it in error texts
 * @param type {@code AVRO}, {@code PROTOBUF} or {@code JSON}
 * @param text in the language of its type
 * @param references schemas that it uses, dependencies first
 */
public record Schema(String label, String type, String text, List<Reference> references) {
  public Schema {
    references = List.copyOf(references);
  }

  /**
   * A schema that another one uses.
   *
   * @param name in the import of the other schema
   */
  public record Reference(String name, String text) {}
}
