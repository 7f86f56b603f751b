package dev.rondo.formats.otlp;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.rondo.formats.Decoder;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.Naming;
import dev.rondo.formats.PointSink;
import io.opentelemetry.proto.metrics.v1.MetricsData;

/**
 * Decodes OpenTelemetry's {@code MetricsData}, which has the encoding of an {@code
 * ExportMetricsServiceRequest}. A record that begins with <code>{</code> is JSON, possibly several
 * documents; any other record is one protobuf message. A message is parsed to its end before its
 * points are emitted, so a truncated message is one drop without points.
 */
public final class OtlpDecoder implements Decoder {
  static final String NO_DATA_POINT = "no data point";

  private final MetricsReader metrics;
  private final JsonDocuments documents = new JsonDocuments();

  /** Creates a decoder; {@code naming} must not be shared. */
  public OtlpDecoder(Naming naming) {
    metrics = new MetricsReader(new PointWriter(naming));
  }

  /** Whether the record looks like OpenTelemetry metrics and like no other known format. */
  public static boolean recognises(byte[] value) {
    return isJson(value) ? JsonDocuments.holdsMetrics(value) : ProtobufShape.holdsMetrics(value);
  }

  private static boolean isJson(byte[] value) {
    return value.length > 0 && value[0] == '{';
  }

  @Override
  public void decode(byte[] value, long nowMs, PointSink sink) {
    if (isJson(value)) {
      documents.read(
          value, sink, (data, from, to) -> metrics.read(data, new Piece(sink, nowMs, from, to)));
    } else {
      protobuf(value, new Piece(sink, nowMs, 0, value.length));
    }
  }

  private void protobuf(byte[] value, Piece whole) {
    try {
      MetricsData data = Utf8Repair.parse(value);
      if (data.getResourceMetricsCount() == 0) {
        whole.drop(DropReason.UNREADABLE, "no resource_metrics, so not OpenTelemetry metrics");
      } else if (!metrics.read(data, whole)) {
        whole.drop(DropReason.UNSUPPORTED, NO_DATA_POINT);
      }
    } catch (InvalidProtocolBufferException e) {
      whole.drop(DropReason.UNREADABLE, "not OpenTelemetry's protobuf: " + e.getMessage());
    }
  }
}
