package dev.rondo.formats.otlp;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.PointSink;

/**
 * What is read as one message, and where its points go.
 *
 * @param nowMs when the record was written, epoch ms
 * @param from where it begins in the record
 * @param to where it ends
 */
record Piece(PointSink sink, long nowMs, int from, int to) {
  void point(String ident, long tMs, double value) {
    sink.point(ident, tMs, value, from, to);
  }

  void drop(DropReason reason, String detail) {
    sink.drop(reason, detail, from, to);
  }
}
