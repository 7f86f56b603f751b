package dev.rondo.formats;

import java.util.List;

/**
 * Receives the points and drops of a record, each with its byte range. The range is a piece that is
 * a valid record by itself (a line, an element), or the whole record in formats without such
 * pieces.
 */
public interface PointSink {
  /**
   * Receives a decoded point; its value may be NaN or infinite, its time is not checked.
   *
   * @param ident canonical text of the series
   * @param tMs epoch ms
   * @param from first byte in the record, inclusive
   * @param to last byte, exclusive
   */
  void point(String ident, long tMs, double value, int from, int to);

  /**
   * Receives a decoded event; its time is not checked. The default ignores it.
   *
   * @param tMs epoch ms
   * @param what happened
   * @param tags distinct, without commas and white space
   * @param data any text
   * @param from first byte in the record, inclusive
   * @param to last byte, exclusive
   */
  default void event(long tMs, String what, List<String> tags, String data, int from, int to) {}

  /**
   * Receives a point with the ident and time of an earlier point of the record, but another value.
   * Their series differ only in something that the name omits, so one would hide the other.
   *
   * @param detail both values, human-readable
   */
  default void collision(String ident, long tMs, double value, String detail, int from, int to) {
    drop(DropReason.NAME_COLLISION, detail, from, to);
  }

  /**
   * Receives bytes that hold neither a point nor an event.
   *
   * @param detail the error, human-readable
   */
  void drop(DropReason reason, String detail, int from, int to);
}
