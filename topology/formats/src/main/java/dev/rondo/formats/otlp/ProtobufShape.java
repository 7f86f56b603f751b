package dev.rondo.formats.otlp;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.Set;

/**
 * Recognises OpenTelemetry metrics by the fields of their first metric. Prometheus remote write,
 * and OpenTelemetry's traces and logs, begin with the same byte; the types of inner fields differ.
 */
final class ProtobufShape {
  private static final int NAME = 1;
  private static final Set<Integer> DATA = Set.of(5, 7, 9, 10, 11);
  private static final Set<Integer> METRIC = Set.of(1, 2, 3, 5, 7, 9, 10, 11, 12);

  /**
   * A message that contains others: its allowed fields, all length-delimited, and the nested one.
   */
  private record Layer(Set<Integer> fields, int inner) {}

  private static final Layer[] LAYERS = {
    new Layer(Set.of(1), 1), // MetricsData: resource_metrics
    new Layer(Set.of(1, 2, 3, 1000), 2), // ResourceMetrics: resource, scope_metrics, schema_url
    new Layer(Set.of(1, 2, 3), 2), // ScopeMetrics: scope, metrics, schema_url
  };

  private ProtobufShape() {}

  static boolean holdsMetrics(byte[] value) {
    try {
      return holdsMetric(CodedInputStream.newInstance(value), 0);
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean holdsMetric(CodedInputStream in, int layer) throws IOException {
    if (layer == LAYERS.length) {
      return isMetric(in);
    }
    while (!in.isAtEnd()) {
      int field = fieldWithLength(in);
      if (!LAYERS[layer].fields.contains(field)) {
        return false;
      }
      int bytes = in.readRawVarint32();
      if (field != LAYERS[layer].inner) {
        in.skipRawBytes(bytes);
        continue;
      }
      int limit = in.pushLimit(bytes);
      if (holdsMetric(in, layer + 1)) {
        return true;
      }
      if (!in.isAtEnd()) {
        return false; // another message type
      }
      in.popLimit(limit);
    }
    return false;
  }

  private static boolean isMetric(CodedInputStream in) throws IOException {
    boolean isNamed = false;
    boolean hasData = false;
    while (!in.isAtEnd()) {
      int field = fieldWithLength(in);
      if (!METRIC.contains(field)) {
        return false;
      }
      int bytes = in.readRawVarint32();
      isNamed |= field == NAME && bytes > 0;
      hasData |= DATA.contains(field);
      in.skipRawBytes(bytes);
    }
    return isNamed && hasData;
  }

  /** Returns the number of the next field; 0 if it is not length-delimited. */
  private static int fieldWithLength(CodedInputStream in) throws IOException {
    int tag = in.readTag();
    return WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED
        ? WireFormat.getTagFieldNumber(tag)
        : 0;
  }
}
