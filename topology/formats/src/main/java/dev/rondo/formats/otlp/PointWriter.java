package dev.rondo.formats.otlp;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;
import dev.rondo.formats.Labels;
import dev.rondo.formats.Naming;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.DataPointFlags;
import java.util.List;

/**
 * Emits the values of the current data point, each under its own ident: the metric's name, with the
 * attributes of the resource and of the data point, and name and attributes of the scope, as
 * labels. Attributes of the data point win.
 *
 * <p>Call order: piece, resource, scope, metric, data point, values. A value of delta temporality
 * gets the label {@code temporality=delta}, so that it never shares a series with a cumulative
 * value. It is an increment; an extreme is not, and gets {@code temporality=interval}.
 */
final class PointWriter {
  private static final long NANOS_PER_MS = 1_000_000;
  private static final String NONE = "";
  private static final String SCOPE = "otel.scope.";
  private static final String TEMPORALITY = "temporality";

  private final Naming naming;
  private final Labels resource = new Labels();
  private final Labels scope = new Labels();
  private final Labels labels = new Labels();
  private final Labels extended = new Labels();
  private Piece piece;
  private boolean hasEmitted;
  private String metric = "";
  private boolean isDelta;
  private long tMs;

  PointWriter(Naming naming) {
    this.naming = naming;
  }

  void beginPiece(Piece begun) {
    piece = begun;
    hasEmitted = false;
  }

  /** Whether the piece had a point or a drop. */
  boolean hasEmitted() {
    return hasEmitted;
  }

  void beginResource(List<KeyValue> attributes) {
    put("", attributes, resource.clear());
  }

  /**
   * Adds the name and attributes as labels. The version is none, because each update would create
   * new series.
   */
  void beginScope(InstrumentationScope begun) {
    scope.clear().putAll(resource).put(SCOPE + "name", begun.getName());
    put(SCOPE, begun.getAttributesList(), scope);
  }

  void beginMetric(String name, boolean isOfDeltas) {
    metric = name;
    isDelta = isOfDeltas;
  }

  /**
   * Starts a data point; returns whether it has a value. If not, drops it as {@code no-value}.
   *
   * @param timeUnixNano epoch ns; 0 = when the record was written
   * @param flags bits of {@code DataPointFlags}
   */
  boolean beginDataPoint(List<KeyValue> attributes, long timeUnixNano, int flags) {
    if ((flags & DataPointFlags.DATA_POINT_FLAGS_NO_RECORDED_VALUE_MASK_VALUE) != 0) {
      drop(DropReason.NO_VALUE, "no value recorded");
      return false;
    }
    tMs = timeUnixNano == 0 ? piece.nowMs() : Long.divideUnsigned(timeUnixNano, NANOS_PER_MS);
    put("", attributes, labels.clear().putAll(scope));
    if (isDelta) {
      labels.put(TEMPORALITY, "delta");
    }
    return true;
  }

  private static void put(String prefix, List<KeyValue> attributes, Labels labels) {
    for (KeyValue attribute : attributes) {
      if (!attribute.getKey().isEmpty()) {
        labels.put(prefix + attribute.getKey(), AttributeText.of(attribute.getValue()));
      }
    }
  }

  /** Emits the only value of the data point. */
  void value(double value) {
    write(NONE, labels, value);
  }

  /** Emits the value of {@code field}; empty = under the metric's name alone. */
  void value(String field, double value) {
    write(field, extended.clear().putAll(labels), value);
  }

  /** Emits the minimum or maximum of a histogram; that of a delta covers its interval only. */
  void extreme(String field, double value) {
    extended.clear().putAll(labels);
    write(field, isDelta ? extended.put(TEMPORALITY, "interval") : extended, value);
  }

  /** Emits a value with an additional label. */
  void value(String field, String label, String text, double value) {
    write(field, extended.clear().putAll(labels).put(label, text), value);
  }

  private void write(String field, Labels named, double value) {
    hasEmitted = true;
    try {
      piece.point(naming.ident(metric, field, named), tMs, value);
    } catch (DroppedException e) {
      piece.drop(e.reason(), e.getMessage());
    }
  }

  /** Drops the metric or one of its data points. */
  void drop(DropReason reason, String detail) {
    hasEmitted = true;
    piece.drop(reason, "%s: metric '%s'".formatted(detail, Excerpt.of(metric)));
  }
}
