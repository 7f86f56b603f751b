package dev.rondo.formats.json;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;
import dev.rondo.formats.Labels;
import dev.rondo.formats.Naming;
import dev.rondo.formats.PointSink;

/**
 * Receives the points of one element, all with the element's byte range. A point without a valid
 * name becomes a drop, and the next one is still accepted.
 */
final class ElementSink {
  private final Naming naming;
  private final Labels labels = new Labels();
  private PointSink sink;
  private long nowMs;
  private int from;
  private int to;

  ElementSink(Naming naming) {
    this.naming = naming;
  }

  /** Starts the element at {@code from..to} of a record, without labels. */
  ElementSink at(PointSink sink, long nowMs, int from, int to) {
    this.sink = sink;
    this.nowMs = nowMs;
    this.from = from;
    this.to = to;
    labels.clear();
    return this;
  }

  /** When the record was written, epoch ms. */
  long nowMs() {
    return nowMs;
  }

  /** Labels of the next points; can be changed between points. */
  Labels labels() {
    return labels;
  }

  /**
   * Builds the ident {@code name;labels…}, for use with many points.
   *
   * @throws DroppedException without a valid name
   */
  String ident(String name) throws DroppedException {
    return naming.ident(name, "", labels);
  }

  /** Emits a point with an ident from {@link #ident}. */
  void point(String ident, long tMs, double value) {
    sink.point(ident, tMs, value, from, to);
  }

  /** Emits a point of the series {@code measurement.field;labels…}. */
  void point(String measurement, String field, long tMs, double value) {
    try {
      point(naming.ident(measurement, field, labels), tMs, value);
    } catch (DroppedException e) {
      drop(e.reason(), e.getMessage());
    }
  }

  /** Emits a point of a series whose path is built from the labels. */
  void pointOfPath(String path, long tMs, double value) {
    try {
      point(naming.path(path, labels), tMs, value);
    } catch (DroppedException e) {
      drop(e.reason(), e.getMessage());
    }
  }

  /** Like {@link #point}, with a part of any type as the value; true is 1, false 0. */
  void field(String measurement, String field, long tMs, Tape tape, int at) {
    switch (tape.token(at)) {
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> point(measurement, field, tMs, tape.number(at));
      case VALUE_TRUE -> point(measurement, field, tMs, 1);
      case VALUE_FALSE -> point(measurement, field, tMs, 0);
      case VALUE_STRING ->
          dropField(
              DropReason.TEXT_VALUE,
              measurement,
              field,
              "the text '" + Excerpt.of(tape.text(at)) + "'");
      case VALUE_NULL -> dropField(DropReason.NO_VALUE, measurement, field, "null");
      default -> dropField(DropReason.UNSUPPORTED, measurement, field, "an object or array");
    }
  }

  private void dropField(DropReason reason, String measurement, String field, String what) {
    drop(reason, "'" + Excerpt.of(field) + "' of '" + Excerpt.of(measurement) + "' is " + what);
  }

  void drop(DropReason reason, String detail) {
    sink.drop(reason, detail, from, to);
  }
}
