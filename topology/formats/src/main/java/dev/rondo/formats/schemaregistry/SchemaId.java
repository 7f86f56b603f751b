package dev.rondo.formats.schemaregistry;

import java.util.UUID;

/**
 * Identifies a schema in a registry, by number or GUID.
 *
 * @param guid null for a number
 */
public record SchemaId(int number, UUID guid) {

  public static SchemaId of(int number) {
    return new SchemaId(number, null);
  }

  static SchemaId of(UUID guid) {
    return new SchemaId(0, guid);
  }

  @Override
  public String toString() {
    return "schema " + (guid == null ? Integer.toString(number) : guid.toString());
  }
}
