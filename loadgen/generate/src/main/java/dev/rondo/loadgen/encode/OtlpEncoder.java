package dev.rondo.loadgen.encode;

import dev.rondo.loadgen.plan.Names;
import dev.rondo.loadgen.plan.Template;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.resource.v1.Resource;
import java.nio.charset.StandardCharsets;

/** OTLP as protobuf: one resource per machine, one gauge per point. */
final class OtlpEncoder implements Encoder {
  private static final long NANOS_A_MS = 1_000_000;

  private final Fleet fleet;
  private final String[] metrics;
  private ExportMetricsServiceRequest.Builder request = ExportMetricsServiceRequest.newBuilder();
  private ScopeMetrics.Builder scope;
  private int machine = -1;
  private long generation;

  OtlpEncoder(Fleet fleet) {
    this.fleet = fleet;
    this.metrics = new String[fleet.metrics()];
    Template name = new Template(Names.measurement(fleet.run()) + "." + Names.metric());
    for (int metric = 0; metric < metrics.length; metric++) {
      metrics[metric] = text(name.fill(0, metric, 0));
    }
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public void add(int series, long generation, long tMs, double value) {
    begin(series / fleet.metrics(), generation);
    scope.addMetrics(
        Metric.newBuilder()
            .setName(metrics[series % fleet.metrics()])
            .setGauge(
                Gauge.newBuilder()
                    .addDataPoints(
                        NumberDataPoint.newBuilder()
                            .setTimeUnixNano(tMs * NANOS_A_MS)
                            .setAsDouble(value))));
  }

  private void begin(int machine, long generation) {
    if (machine == this.machine && generation == this.generation) {
      return;
    }
    this.machine = machine;
    this.generation = generation;
    String host = text(fleet.machine().fill(machine, 0, generation));
    ResourceMetrics.Builder resource =
        request
            .addResourceMetricsBuilder()
            .setResource(
                Resource.newBuilder()
                    .addAttributes(
                        KeyValue.newBuilder()
                            .setKey("host")
                            .setValue(AnyValue.newBuilder().setStringValue(host))));
    scope = resource.addScopeMetricsBuilder();
  }

  @Override
  public byte[] take() {
    byte[] record = request.build().toByteArray();
    request = ExportMetricsServiceRequest.newBuilder();
    machine = -1;
    return record;
  }
}
