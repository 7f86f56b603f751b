package dev.rondo.formats.mapping;

import dev.rondo.formats.DroppedException;

/** Reads the records of one schema. Not thread-safe. */
public interface SchemaReader {

  Shape shape();

  Tree tree();

  /** Reads the bytes from..to; throws if they do not match the schema. */
  Object read(byte[] value, int from, int to) throws DroppedException;
}
