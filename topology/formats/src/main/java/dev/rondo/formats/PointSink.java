package dev.rondo.formats;

import java.util.List;

/**
 * Receives the points and drops of a record, each with its byte range. The bytes are a piece of the
 * record that is valid as a record by itself (a line, an element); in formats without such pieces
 * they are the whole record.
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
   * Receives a decoded event; its time is not checked. Most readers look for points only, and
   * ignore events.
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
   * Receives a point whose ident and time an earlier point of the record has, with another value.
   * Their series differ in what names leave out, so one would hide the other.
   *
   * @param detail both values, for people
   */
  default void collision(String ident, long tMs, double value, String detail, int from, int to) {
    drop(DropReason.NAME_COLLISION, detail, from, to);
  }

  /**
   * Receives bytes that hold neither a point nor an event.
   *
   * @param detail the error, for people
   */
  void drop(DropReason reason, String detail, int from, int to);
}
