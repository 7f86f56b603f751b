package dev.rondo.formats.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OtlpJsonTest {
  private static final String MY_GAUGE =
      """
      {"resourceMetrics":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"my.service"}}]},
      "scopeMetrics":[{"metrics":[{"name":"my.gauge","unit":"1","gauge":{"dataPoints":[{"asDouble":10,\
      "timeUnixNano":"1544712660300000000","attributes":[{"key":"a","value":{"stringValue":"b"}}]}]}}]}]}]}""";

  private static final String SCOPE =
      "otel.scope.my.scope.attribute=some scope attribute;otel.scope.name=my.library;";

  private static final String POINT = "my.gauge;a=b;service.name=my.service 10.0 1544712660300";

  private static String gauge(String dataPoints) {
    return "{\"resourceMetrics\":[{\"scopeMetrics\":[{\"metrics\":[{\"name\":\"m\",\"gauge\":{\"dataPoints\":["
        + dataPoints
        + "]}}]}]}]}";
  }

  @Test
  void shouldReadTheExampleOfTheProtocol() {
    Found found = Found.in(Samples.text("protocol-example.json"));
    assertThat(found.points)
        .containsExactly(
            "my.counter;my.counter.attr=some value;"
                + SCOPE
                + "service.name=my.service;temporality=delta"
                + " 5.0 1544712660300",
            "my.gauge;my.gauge.attr=some value;"
                + SCOPE
                + "service.name=my.service 10.0 1544712660300",
            "my.histogram.count;my.histogram.attr=some value;"
                + SCOPE
                + "service.name=my.service;temporality=delta"
                + " 2.0 1544712660300",
            "my.histogram.sum;my.histogram.attr=some value;"
                + SCOPE
                + "service.name=my.service;temporality=delta"
                + " 2.0 1544712660300",
            "my.histogram.min;my.histogram.attr=some value;"
                + SCOPE
                + "service.name=my.service;temporality=interval"
                + " 0.0 1544712660300",
            "my.histogram.max;my.histogram.attr=some value;"
                + SCOPE
                + "service.name=my.service;temporality=interval"
                + " 2.0 1544712660300",
            "my.histogram.bucket;le=1;my.histogram.attr=some value;"
                + SCOPE
                + "service.name=my.service;"
                + "temporality=delta 1.0 1544712660300",
            "my.histogram.bucket;le=+Inf;my.histogram.attr=some value;"
                + SCOPE
                + "service.name=my.service;"
                + "temporality=delta 2.0 1544712660300");
    assertThat(found.drops).isEmpty();
  }

  @Test
  void shouldReadConsecutiveDocuments() {
    Found found = Found.in(MY_GAUGE + "\n" + MY_GAUGE + " \r\n\t" + MY_GAUGE + "\n");
    assertThat(found.points).containsExactly(POINT, POINT, POINT);
    int length = MY_GAUGE.length();
    assertThat(found.pieces)
        .containsExactly(
            "0.." + length,
            (length + 1) + ".." + (2 * length + 1),
            (2 * length + 5) + ".." + (3 * length + 5));
  }

  @Test
  void shouldCountPiecesInBytes() {
    String umlaut = MY_GAUGE.replace("\"unit\":\"1\"", "\"unit\":\"größe\"");
    byte[] record = (umlaut + umlaut).getBytes(StandardCharsets.UTF_8);
    assertThat(Found.in(record).pieces)
        .containsExactly("0.." + record.length / 2, record.length / 2 + ".." + record.length);
  }

  @Test
  void shouldContinueAtTheNextLineAfterABrokenOne() {
    String cut = MY_GAUGE.replace("\n", "").substring(0, 120);
    Found found = Found.in(cut + "\"\n" + MY_GAUGE + "\n{]\n" + MY_GAUGE);
    assertThat(found.points).containsExactly(POINT, POINT);
    assertThat(found.drops).hasSize(2).allMatch(drop -> drop.startsWith("unreadable: not JSON: "));
    assertThat(found.pieces.get(0)).isEqualTo("0.." + (cut.length() + 2));
  }

  @Test
  void shouldReadNumbersInEitherFormAndTheOtherSpellingOfNames() {
    Found found =
        Found.in(
            gauge(
                """
                {"as_int":"-7","time_unix_nano":1544712660300000000,"new_field":{"a":[1]},"flags":0},
                {"asInt":9007199254740993,"timeUnixNano":"1544712660300000000","flags":null},
                {"asDouble":"-Infinity","timeUnixNano":1.5e9},
                {"asDouble":"NaN"}, {"asDouble":"2.5e-1"}, {"asInt":3e2}"""));
    assertThat(found.points)
        .containsExactly(
            "m -7.0 1544712660300",
            "m 9.007199254740992E15 1544712660300",
            "m -Infinity 1500",
            "m NaN " + Found.NOW_MS,
            "m 0.25 " + Found.NOW_MS,
            "m 300.0 " + Found.NOW_MS);
    assertThat(found.drops).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"asInt":"seven"}                      | as_int is not a number in its range: 'seven'
          {"asInt":1.5}                          | as_int is not a number in its range: '1.5'
          {"asDouble":true}                      | as_double is not a value of type DOUBLE: 'true'
          {"asInt":1,"timeUnixNano":-5}          | time_unix_nano is not a number in its range: '-5'
          {"asInt":1,"flags":4294967296}         | flags is not a number in its range: '4294967296'
          {"asInt":1,"attributes":{"a":"b"}}     | attributes is not a list: '…'
          {"asInt":1,"attributes":[{"key":5}]}   | key is not a value of type STRING: '5'
          {"asInt":1,"attributes":[{"key":"a","value":{"bytesValue":"*"}}]} | bytes_value is not base64: '*'
          5                                      | NumberDataPoint is not an object: '5'
          [[{"asInt":1}]]                        | NumberDataPoint is not an object: '…'
          null                                   | NumberDataPoint is not an object: 'null'
          {}                                     | neither as_int nor as_double in a data point: metric 'm'
          """)
  void shouldKeepTheNeighboursOfABrokenDataPoint(String dataPoint, String detail) {
    Found found = Found.in(gauge("{\"asInt\":1}," + dataPoint + ",{\"asInt\":2}"));
    assertThat(found.drops).containsExactly("unreadable: " + detail);
    assertThat(found.points).containsExactly("m 1.0 " + Found.NOW_MS, "m 2.0 " + Found.NOW_MS);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                            | no resourceMetrics, so not OpenTelemetry metrics
          {"resourceSpans":[{"a":[]}]}  | no resourceMetrics, so not OpenTelemetry metrics
          {"resourceMetrics":{"a":[1]}} | resource_metrics is not a list: '…'
          {"resourceMetrics":[7]}       | ResourceMetrics is not an object: '7'
          """)
  void shouldDropADocumentOfAnotherKindAndReadTheNext(String document, String detail) {
    Found found = Found.in(document + MY_GAUGE);
    assertThat(found.drops).containsExactly("unreadable: " + detail);
    assertThat(found.points).containsExactly(POINT);
  }

  @ParameterizedTest
  @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  @ValueSource(strings = {"1", "null", "true", "\"a\"", "[1,{\"a\":[2]}]"})
  void shouldDropAValueThatIsNotAnObjectAndReadTheNext(String value) {
    String record = MY_GAUGE + "\n" + value + "\n" + MY_GAUGE;
    Found found = Found.in(record);
    assertThat(found.points).containsExactly(POINT, POINT);
    assertThat(found.drops)
        .singleElement()
        .asString()
        .startsWith("unreadable: MetricsData is not an object: ");
    String[] piece = found.pieces.get(1).split("\\.\\.", 2);
    assertThat(record.substring(Integer.parseInt(piece[0]), Integer.parseInt(piece[1])))
        .isEqualToIgnoringWhitespace(value); // a number's range includes the space after it
    assertThat(Found.in("{}" + value).drops).hasSize(2);
  }

  @Test
  void shouldReportADocumentWithoutDataPoints() {
    Found found = Found.in(gauge("") + MY_GAUGE.replace("dataPoints", "points"));
    assertThat(found.points).isEmpty();
    assertThat(found.drops)
        .containsExactly("unsupported: no data point", "unsupported: no data point");
  }

  @Test
  void shouldNotFollowHostileNesting() {
    String open = "{\"arrayValue\":{\"values\":[";
    String deep =
        gauge("{\"asInt\":1,\"attributes\":[{\"key\":\"a\",\"value\":" + open.repeat(100_000));
    Found found = Found.in(deep + "\n" + MY_GAUGE);
    assertThat(found.drops).singleElement().asString().contains("nesting depth");
    assertThat(found.points).containsExactly(POINT);
  }
}
