package dev.rondo.bench.points;

import dev.rondo.formats.Naming;
import dev.rondo.formats.otlp.OtlpDecoder;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.MetricsData;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Cost of a point in a batch of the OpenTelemetry Collector: 500 gauge points with 5 attributes, 10
 * per metric, of one resource with 6 attributes: idents of 384 characters.
 *
 * <pre>
 *   benchmark    encoding     ns     B allocated
 *   decode       protobuf   1250            3028   a point, 184 B of the record
 *   decode       json       3150            3800   a point, 392 B of the record
 *   recognise    protobuf    180              64   a record
 *   recognise    json        415             696   a record
 *
 *   java -cp 'loadgen/bench/target/*:loadgen/bench/target/lib/*' org.openjdk.jmh.Main OtlpBenchmark -prof gc
 *   OpenJDK 17.0.15, 2 busy cores of an Intel Xeon. The ns of decode are CPU time of its thread, from
 *   a loop around it; by JMH's clock it was three times as much.
 * </pre>
 *
 * <p>Of the 1250 ns, 515 are protobuf's own parser; the rest are eleven labels, checked, sorted and
 * written.
 */
public class OtlpBenchmark extends NanosBenchmark {
  private static final int POINTS = 500;
  private static final int POINTS_OF_A_METRIC = 10;
  private static final long NANOS = 1_700_000_000_000_000_000L;

  /** Attributes of the resource; each data point has five others. */
  private static final List<String> RESOURCE =
      List.of(
          "service.name=checkout",
          "service.namespace=shop",
          "service.instance.id=627cc493-f310-47de-96bd-71410b7dec09",
          "host.name=ip-10-0-17-23.eu-central-1.compute.internal",
          "k8s.pod.name=checkout-5d8f7c9b6d-x2x7q",
          "deployment.environment=production");

  private static final List<String> ATTRIBUTES =
      List.of(
          "http.request.method=GET",
          "http.route=/cart/{id}/items",
          "server.address=shop.example.org",
          "network.protocol.version=1.1",
          "cpu.core=core-");

  @Param({"protobuf", "json"})
  private String encoding;

  private final OtlpDecoder decoder = new OtlpDecoder(new Naming(1024, 64));
  private byte[] record;

  /** Makes the record. */
  @Setup
  public void write() {
    record = encoding.equals("json") ? json() : protobuf();
  }

  private static byte[] protobuf() {
    ScopeMetrics.Builder scope = ScopeMetrics.newBuilder();
    for (int metric = 0; metric < POINTS / POINTS_OF_A_METRIC; metric++) {
      Metric.Builder gauge = scope.addMetricsBuilder().setName(name(metric)).setUnit("1");
      for (int n = 0; n < POINTS_OF_A_METRIC; n++) {
        NumberDataPoint.Builder point = gauge.getGaugeBuilder().addDataPointsBuilder();
        attributes(n).forEach(attribute -> point.addAttributes(keyValue(attribute)));
        point.setTimeUnixNano(NANOS).setAsDouble(n * 1.371);
      }
    }
    ResourceMetrics.Builder resource = ResourceMetrics.newBuilder().addScopeMetrics(scope);
    RESOURCE.forEach(text -> resource.getResourceBuilder().addAttributes(keyValue(text)));
    return MetricsData.newBuilder().addResourceMetrics(resource).build().toByteArray();
  }

  private static KeyValue.Builder keyValue(String attribute) {
    String[] halves = attribute.split("=", 2);
    KeyValue.Builder keyValue = KeyValue.newBuilder().setKey(halves[0]);
    keyValue.getValueBuilder().setStringValue(halves[1]);
    return keyValue;
  }

  private static byte[] json() {
    List<String> metrics = new ArrayList<>();
    for (int metric = 0; metric < POINTS / POINTS_OF_A_METRIC; metric++) {
      List<String> points = new ArrayList<>();
      for (int n = 0; n < POINTS_OF_A_METRIC; n++) {
        points.add(
            "{\"attributes\":%s,\"timeUnixNano\":\"%d\",\"asDouble\":%s}"
                .formatted(json(attributes(n)), NANOS, n * 1.371));
      }
      metrics.add(
          "{\"name\":\"%s\",\"unit\":\"1\",\"gauge\":{\"dataPoints\":%s}}"
              .formatted(name(metric), points));
    }
    return "{\"resourceMetrics\":[{\"resource\":{\"attributes\":%s},\"scopeMetrics\":[{\"metrics\":%s}]}]}"
        .formatted(json(RESOURCE), metrics)
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String json(List<String> attributes) {
    return attributes.stream()
        .map(attribute -> attribute.replace("=", "\",\"value\":{\"stringValue\":\""))
        .map(halves -> "{\"key\":\"%s\"}}".formatted(halves))
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static String name(int metric) {
    return "http.server.metric%02d.usage".formatted(metric);
  }

  private static List<String> attributes(int point) {
    List<String> attributes = new ArrayList<>(ATTRIBUTES);
    attributes.set(4, attributes.get(4) + point);
    return attributes;
  }

  /** Record → ident, time, value of each point. */
  @Benchmark
  @OperationsPerInvocation(POINTS)
  public void decode(Blackhole points) {
    decoder.decode(record, 0, new Consumed(points));
  }

  /** Whether the record has this format: cost per record. */
  @Benchmark
  public boolean recognise() {
    return OtlpDecoder.recognises(record);
  }
}
