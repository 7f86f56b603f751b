package dev.rondo.formats.json;

import dev.rondo.formats.DroppedException;
import java.util.List;
import java.util.Set;

/** A convention for writing points as JSON objects. */
interface Dialect {
  /** Name in settings. */
  String key();

  /** Keys that identify the dialect: an object matches if it has all keys of one set. */
  List<Set<String>> signatures();

  /**
   * Emits the points of an object of this dialect.
   *
   * @throws DroppedException if the object as a whole holds no point
   */
  void read(Tape element, ElementSink sink) throws DroppedException;
}
