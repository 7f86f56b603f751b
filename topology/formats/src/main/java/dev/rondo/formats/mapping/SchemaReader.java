package dev.rondo.formats.mapping;

import dev.rondo.formats.DroppedException;

/** Reads the records of one schema. Not thread-safe. */
public interface SchemaReader {
  /** What the records hold. */
  Shape shape();

  /** Access to the parts of the records. */
  Tree tree();

  /** Reads the bytes from..to; throws {@link DroppedException} if they are not of the schema. */
  Object read(byte[] value, int from, int to) throws DroppedException;
}
