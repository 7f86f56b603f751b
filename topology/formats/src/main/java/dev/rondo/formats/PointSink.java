package dev.rondo.formats;

/**
 * Takes what a decoder finds in a record. Each find has its bytes: a piece of the record that is a
 * record of the same format by itself (a line, an element), or, where the format has no such
 * pieces, the whole record.
 */
public interface PointSink {
  /**
   * A point as read; its value may be NaN or infinite, its time may be any.
   *
   * @param ident canonical text of the series
   * @param tMs epoch ms
   * @param from where its bytes begin in the record
   * @param to where they end
   */
  void point(String ident, long tMs, double value, int from, int to);

  /**
   * Bytes that hold no point.
   *
   * @param detail what is wrong, for a person to read
   */
  void drop(DropReason reason, String detail, int from, int to);
}
