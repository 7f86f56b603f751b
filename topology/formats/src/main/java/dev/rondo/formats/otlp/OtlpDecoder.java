package dev.rondo.formats.otlp;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.rondo.formats.Decoder;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.Naming;
import dev.rondo.formats.PointSink;
import io.opentelemetry.proto.metrics.v1.MetricsData;

/**
 * OpenTelemetry's {@code MetricsData}, which on the wire is an {@code ExportMetricsServiceRequest},
 * too. What begins with <code>{</code> is JSON, of which a record may hold several documents one
 * after another; all else is protobuf, the whole record one message. Either is read to its end
 * before any of its points is handed on: a cut message is one drop and no points.
 */
public final class OtlpDecoder implements Decoder {
  static final String NO_DATA_POINT = "no data point";

  private final MetricsReader metrics;
  private final JsonDocuments documents = new JsonDocuments();

  /** Names series by {@code naming}, which is its own. */
  public OtlpDecoder(Naming naming) {
    metrics = new MetricsReader(new PointWriter(naming));
  }

  /** Whether it looks like OpenTelemetry metrics and like no other format that Rondo knows. */
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
