package dev.rondo.formats.schemaregistry;

/**
 * One schema for all records of a source, from a file: the records are not framed.
 *
 * @param message full name of the Protobuf message; empty = the first of the file
 */
public record SchemaFile(Schema schema, String message) implements Schemas {
  @Override
  public Schema get(SchemaId id) {
    return schema;
  }
}
