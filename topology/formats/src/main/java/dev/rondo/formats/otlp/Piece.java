package dev.rondo.formats.otlp;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.PointSink;

/**
 * The part of a record that is one message, and the sink of its points.
 *
 * @param nowMs time at which the record was written, epoch ms
 * @param from first byte in the record, inclusive
 * @param to last byte, exclusive
 */
record Piece(PointSink sink, long nowMs, int from, int to) {
  void point(String ident, long tMs, double value) {
    sink.point(ident, tMs, value, from, to);
  }

  void drop(DropReason reason, String detail) {
    sink.drop(reason, detail, from, to);
  }
}
