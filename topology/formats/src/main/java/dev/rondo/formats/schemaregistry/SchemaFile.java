package dev.rondo.formats.schemaregistry;

/**
 * One schema for all records of a source, from a file.
 *
 * @param message full name of the Protobuf message; empty = the one in the framing, or the first of
 *     the file
 * @param isFramed whether the records are framed; their ids are ignored
 */
public record SchemaFile(Schema schema, String message, boolean isFramed) implements Schemas {
  @Override
  public Schema get(SchemaId id) {
    return schema;
  }
}
