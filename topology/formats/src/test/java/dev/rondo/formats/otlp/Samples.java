package dev.rondo.formats.otlp;

import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.MetricsData;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.resource.v1.Resource;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Sample records and parts to build them from. */
final class Samples {
  private Samples() {}

  /** Reads a file beside this class; its README describes its origin. */
  static byte[] file(String name) {
    try (InputStream file = Samples.class.getResourceAsStream(name)) {
      return file.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String text(String name) {
    return new String(file(name), StandardCharsets.UTF_8);
  }

  /** Of the resource {@code host=web01}. */
  static MetricsData.Builder data(Metric.Builder... metrics) {
    ScopeMetrics.Builder scope = ScopeMetrics.newBuilder();
    List.of(metrics).forEach(scope::addMetrics);
    return MetricsData.newBuilder()
        .addResourceMetrics(
            ResourceMetrics.newBuilder()
                .setResource(Resource.newBuilder().addAttributes(attribute("host", "web01")))
                .addScopeMetrics(scope));
  }

  static byte[] record(Metric.Builder... metrics) {
    return data(metrics).build().toByteArray();
  }

  static Metric.Builder gauge(String name, NumberDataPoint.Builder... dataPoints) {
    Metric.Builder metric = Metric.newBuilder().setName(name);
    List.of(dataPoints).forEach(metric.getGaugeBuilder()::addDataPoints);
    return metric;
  }

  static NumberDataPoint.Builder dataPoint(double value) {
    return NumberDataPoint.newBuilder().setTimeUnixNano(10_000_000_000L).setAsDouble(value);
  }

  static KeyValue attribute(String key, String value) {
    return attribute(key, AnyValue.newBuilder().setStringValue(value));
  }

  static KeyValue attribute(String key, AnyValue.Builder value) {
    return KeyValue.newBuilder().setKey(key).setValue(value).build();
  }
}
