package dev.rondo.formats.json;

import dev.rondo.formats.DroppedException;
import java.util.List;
import java.util.Set;

/** One way to write points as JSON objects. */
interface Dialect {
  /** Name in settings. */
  String key();

  /** Keys by which an object is known to be of this dialect: it has all those of any one set. */
  List<Set<String>> signatures();

  /**
   * Hands on what an object of this dialect holds.
   *
   * @throws DroppedException where the object as a whole holds no point
   */
  void read(Tape element, ElementSink sink) throws DroppedException;
}
