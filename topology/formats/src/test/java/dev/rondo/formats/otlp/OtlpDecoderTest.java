package dev.rondo.formats.otlp;

import static dev.rondo.formats.otlp.Samples.attribute;
import static dev.rondo.formats.otlp.Samples.data;
import static dev.rondo.formats.otlp.Samples.dataPoint;
import static dev.rondo.formats.otlp.Samples.gauge;
import static dev.rondo.formats.otlp.Samples.record;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValueList;
import io.opentelemetry.proto.metrics.v1.Histogram;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.MetricsData;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.metrics.v1.Summary;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint.ValueAtQuantile;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OtlpDecoderTest {
  @ParameterizedTest
  @ValueSource(strings = {"cumulative", "delta"})
  void shouldReadRecordsOfTheSdk(String temporality) {
    List<String> expected =
        Samples.text(temporality + ".txt").lines().map(OtlpDecoderTest::inJavasDigits).toList();
    for (String encoding : List.of(".bin", ".json")) {
      byte[] record = Samples.file(temporality + encoding);
      Found found = Found.in(record);
      assertThat(found.points).isEqualTo(expected);
      assertThat(found.drops).isEmpty();
      assertThat(OtlpDecoder.recognises(record)).isTrue();
    }
  }

  /** {@code ident value ms}, as Python writes numbers. */
  private static String inJavasDigits(String line) {
    int msAt = line.lastIndexOf(' ');
    int valueAt = line.lastIndexOf(' ', msAt - 1);
    double value = Double.parseDouble(line.substring(valueAt, msAt));
    return line.substring(0, valueAt) + " " + value + line.substring(msAt);
  }

  @Test
  void shouldKeepScopesOfAResourceApart() {
    MetricsData.Builder data = data();
    for (String scope : List.of("a", "b", "")) {
      data.getResourceMetricsBuilder(0)
          .addScopeMetrics(
              ScopeMetrics.newBuilder()
                  .setScope(
                      InstrumentationScope.newBuilder()
                          .setName(scope)
                          .setVersion("1.2")
                          .addAttributes(attribute("pool", "p" + scope)))
                  .addMetrics(gauge("m", dataPoint(scope.length()))));
    }
    assertThat(Found.in(data.build().toByteArray()).points)
        .containsExactly(
            "m;host=web01;otel.scope.name=a;otel.scope.pool=pa 1.0 10000",
            "m;host=web01;otel.scope.name=b;otel.scope.pool=pb 1.0 10000",
            "m;host=web01;otel.scope.pool=p 0.0 10000");
  }

  @Test
  void shouldLetTheDataPointsAttributesWin() {
    byte[] record =
        record(
            gauge(
                "system.load",
                dataPoint(1.5).addAttributes(attribute("cpu.name", "a b")),
                dataPoint(2).addAttributes(attribute("host", "proxy"))));
    assertThat(Found.in(record).points)
        .containsExactly(
            "system.load;cpu.name=a b;host=web01 1.5 10000", "system.load;host=proxy 2.0 10000");
  }

  @Test
  void shouldWriteAttributesOfEveryTypeAsText() {
    AnyValue.Builder one = AnyValue.newBuilder().setIntValue(1);
    AnyValue.Builder map =
        AnyValue.newBuilder()
            .setKvlistValue(KeyValueList.newBuilder().addValues(attribute("k", one)));
    AnyValue.Builder list =
        AnyValue.newBuilder()
            .setArrayValue(
                ArrayValue.newBuilder()
                    .addValues(map)
                    .addValues(AnyValue.newBuilder().setStringValue("x;y"))
                    .addValues(AnyValue.newBuilder().setBoolValue(false))
                    .addValues(AnyValue.newBuilder().setDoubleValue(0.5))
                    .addValues(AnyValue.getDefaultInstance()));
    ByteString bytes = ByteString.copyFrom(new byte[] {0, 1, -1});
    NumberDataPoint.Builder data =
        dataPoint(1)
            .addAttributes(attribute("bool", AnyValue.newBuilder().setBoolValue(true)))
            .addAttributes(attribute("bytes", AnyValue.newBuilder().setBytesValue(bytes)))
            .addAttributes(attribute("double", AnyValue.newBuilder().setDoubleValue(1e6)))
            .addAttributes(attribute("int", AnyValue.newBuilder().setIntValue(-5)))
            .addAttributes(attribute("list", list))
            .addAttributes(attribute("none", AnyValue.newBuilder()))
            .addAttributes(attribute("", "no key"));
    assertThat(Found.in(record(gauge("m", data))).points)
        .containsExactly(
            "m;bool=true;bytes=AAH/;double=1000000;host=web01;int=-5;"
                + "list=[{\"k\":1},\"x_y\",false,0.5,null] 1.0 10000");
  }

  @Test
  void shouldUseTheTimeOfWritingWithoutATime() {
    assertThat(Found.in(record(gauge("m", dataPoint(1).clearTimeUnixNano()))).points)
        .containsExactly("m;host=web01 1.0 " + Found.NOW_MS);
  }

  @Test
  void shouldKeepTheNeighboursOfDataPointsWithoutAValue() {
    Found found =
        Found.in(
            record(
                gauge("a", dataPoint(1).clearValue(), dataPoint(2).setFlags(1), dataPoint(3)),
                Metric.newBuilder().setName("b"),
                gauge("", dataPoint(4)),
                gauge("c", dataPoint(Double.NaN))));
    assertThat(found.points).containsExactly("a;host=web01 3.0 10000", "c;host=web01 NaN 10000");
    assertThat(found.drops)
        .containsExactly(
            "unreadable: neither as_int nor as_double in a data point: metric 'a'",
            "no-value: no value recorded: metric 'a'",
            "unsupported: no data of a known kind: metric 'b'",
            "unreadable: no name in ''");
  }

  @Test
  void shouldReadSummaries() {
    SummaryDataPoint.Builder data =
        SummaryDataPoint.newBuilder()
            .setTimeUnixNano(10_000_000_000L)
            .setCount(7)
            .setSum(70.5)
            .addQuantileValues(ValueAtQuantile.newBuilder().setQuantile(0.5).setValue(9))
            .addQuantileValues(ValueAtQuantile.newBuilder().setQuantile(1).setValue(30));
    Metric.Builder metric =
        Metric.newBuilder().setName("gc").setSummary(Summary.newBuilder().addDataPoints(data));
    assertThat(Found.in(record(metric)).points)
        .containsExactly(
            "gc.count;host=web01 7.0 10000",
            "gc.sum;host=web01 70.5 10000",
            "gc;host=web01;quantile=0.5 9.0 10000",
            "gc;host=web01;quantile=1 30.0 10000");
  }

  @Test
  void shouldCountTheLargestCountsAsUnsigned() {
    HistogramDataPoint.Builder data =
        HistogramDataPoint.newBuilder().setTimeUnixNano(10_000_000_000L).setCount(-2);
    Metric.Builder metric =
        Metric.newBuilder().setName("m").setHistogram(Histogram.newBuilder().addDataPoints(data));
    assertThat(Found.in(record(metric)).points)
        .containsExactly("m.count;host=web01 1.8446744073709552E19 10000");
  }

  @Test
  void shouldDropOnlyTheBucketsThatDoNotFitTheirBounds() {
    HistogramDataPoint.Builder data =
        HistogramDataPoint.newBuilder()
            .setTimeUnixNano(10_000_000_000L)
            .setCount(3)
            .addAllBucketCounts(List.of(1L, 1L, 1L))
            .addExplicitBounds(1);
    Metric.Builder metric =
        Metric.newBuilder().setName("m").setHistogram(Histogram.newBuilder().addDataPoints(data));
    Found found = Found.in(record(metric));
    assertThat(found.points).containsExactly("m.count;host=web01 3.0 10000");
    assertThat(found.drops)
        .containsExactly("unreadable: buckets: 3 counts for 1 bounds, not one more: metric 'm'");
  }

  @Test
  void shouldDropTheSeriesWhoseNameIsTooLong() {
    Found found =
        Found.in(
            record(
                gauge("a", dataPoint(1).addAttributes(attribute("k", "x".repeat(1020)))),
                gauge("b", dataPoint(2))));
    assertThat(found.points).containsExactly("b;host=web01 2.0 10000");
    assertThat(found.drops)
        .singleElement()
        .asString()
        .startsWith("name-too-long: name of 1035 bytes, more than 1024 (ident.max.bytes)");
  }

  @Test
  void shouldReadStringsThatAreNotUtf8() {
    NumberDataPoint.Builder data = dataPoint(1).addAttributes(attribute("process", "größe"));
    byte[] record = record(gauge("a", data), gauge("b", dataPoint(2)));
    int at = new String(record, StandardCharsets.ISO_8859_1).indexOf("gr") + 2;
    record[at] = (byte) 0xff;
    assertThat(Found.in(record).points)
        .containsExactly("a;host=web01;process=gr????e 1.0 10000", "b;host=web01 2.0 10000");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 20, 1000})
  void shouldDropACutRecordAsAWhole(int bytes) {
    byte[] record = Arrays.copyOf(Samples.file("cumulative.bin"), bytes);
    Found found = Found.in(record);
    assertThat(found.points).isEmpty();
    assertThat(found.drops).singleElement().asString().startsWith("unreadable: ");
    assertThat(found.pieces).containsExactly("0.." + bytes);
  }

  @Test
  void shouldReportARecordWithoutDataPoints() {
    assertThat(Found.in(record()).drops).containsExactly("unsupported: no data point");
  }

  @Test
  void shouldNotTrustAClaimedLengthNorFollowHostileNesting() {
    byte[] long2GiB = {0x0a, -1, -1, -1, -1, 0x07, 0x0a};
    AnyValue.Builder value = AnyValue.newBuilder().setIntValue(1);
    for (int n = 0; n < 1000; n++) {
      value = AnyValue.newBuilder().setArrayValue(ArrayValue.newBuilder().addValues(value));
    }
    byte[] deep = record(gauge("m", dataPoint(1).addAttributes(attribute("a", value))));
    for (byte[] hostile : List.of(long2GiB, deep)) {
      Found found = Found.in(hostile);
      assertThat(found.points).isEmpty();
      assertThat(found.drops).singleElement().asString().startsWith("unreadable: not OpenTel");
    }
  }

  @Test
  void shouldGiveTheWholeRecordToEveryPoint() {
    byte[] record = record(gauge("a", dataPoint(1), dataPoint(2)));
    assertThat(Found.in(record).pieces).hasSize(2).containsOnly("0.." + record.length);
  }
}
