package dev.rondo.topology.format.json;

import dev.rondo.topology.format.DroppedException;

/** One way to write points as JSON objects. */
interface Dialect {
  /** Name in settings. */
  String key();

  /** Whether the keys of an object are those of this dialect. */
  boolean claims(Tape element);

  /**
   * Hands on what an object holds, one that this dialect has claimed or that it is set to read.
   *
   * @throws DroppedException where the object as a whole holds no point
   */
  void read(Tape element, ElementSink sink) throws DroppedException;
}
