package dev.rondo.formats;

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
   * Receives bytes that hold no point.
   *
   * @param detail the error, for people
   */
  void drop(DropReason reason, String detail, int from, int to);
}
