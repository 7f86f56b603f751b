package dev.rondo.formats.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.LogsData;
import io.opentelemetry.proto.metrics.v1.MetricsData;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.TracesData;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecognitionTest {
  /** Prometheus' remote write: {@code cpu_usage_idle{cpu="cpu-total",host="web01"} 98.09}. */
  private static final byte[] WRITE_REQUEST =
      HexFormat.of()
          .parseHex(
              "0a4f0a1a0a085f5f6e616d655f5f120e6370755f75736167655f69646c650a100a0363707512096370752d746f74616c"
                  + "0a0d0a04686f737412057765623031121009f6285c8fc285584010d0dafdbead2a");

  private static boolean recognises(String text) {
    return OtlpDecoder.recognises(text.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"resourceMetrics\":[{}]}",
        "{\"resource_metrics\": []}",
        "{ \"schema\" : {\"a\":[1]}, \n \"resourceMetrics\":[{\"cut"
      })
  void shouldRecogniseJson(String text) {
    assertThat(recognises(text)).isTrue();
  }

  @Test
  void shouldRecogniseMetricsAfterAnEmptyScope() {
    MetricsData.Builder data = Samples.data();
    data.addAllResourceMetrics(
        Samples.data(Samples.gauge("m", Samples.dataPoint(1))).getResourceMetricsList());
    assertThat(OtlpDecoder.recognises(data.build().toByteArray())).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "{}",
        "\n{\n",
        "{\"resourceMetrics\":5}",
        "{\"resourceLogs\":[]}",
        "{\"metric\":{\"resourceMetrics\":[]}}",
        "[{\"resourceMetrics\":[]}]",
        "servers.web01.cpu.idle;dc=ams 98.09 1455320690\n",
        "cpu,host=tars usage_idle=98.09 1455320660004257758\n",
        "\ncpu.idle 1 1455320690\n"
      })
  void shouldNotRecogniseOtherTexts(String text) {
    assertThat(recognises(text)).isFalse();
  }

  @Test
  void shouldNotRecogniseRemoteWriteNorReadPointsFromIt() {
    assertThat(OtlpDecoder.recognises(WRITE_REQUEST)).isFalse();
    assertThat(Found.in(WRITE_REQUEST).points).isEmpty();
    assertThat(Found.in(WRITE_REQUEST).drops).hasSize(1);
  }

  @Test
  void shouldNotRecogniseTracesAndLogsNorReadPointsFromThem() {
    TracesData.Builder traces = TracesData.newBuilder();
    traces
        .addResourceSpansBuilder()
        .addScopeSpansBuilder()
        .addSpans(
            Span.newBuilder()
                .setTraceId(ByteString.copyFromUtf8("0123456789abcdef"))
                .setSpanId(ByteString.copyFromUtf8("01234567"))
                .setName("GET /")
                .setStartTimeUnixNano(10_000_000_000L));
    LogsData.Builder logs = LogsData.newBuilder();
    logs.addResourceLogsBuilder()
        .addScopeLogsBuilder()
        .addLogRecords(
            LogRecord.newBuilder()
                .setTimeUnixNano(10_000_000_000L)
                .setBody(AnyValue.newBuilder().setStringValue("started")));
    for (byte[] other : new byte[][] {traces.build().toByteArray(), logs.build().toByteArray()}) {
      assertThat(OtlpDecoder.recognises(other)).isFalse();
      assertThat(Found.in(other).points).isEmpty();
      assertThat(Found.in(other).drops).isNotEmpty();
    }
  }
}
