package dev.rondo.formats.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.formats.Naming;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonDecoderTest {
  private static final String A = "{\"name\":\"a\",\"time\":1,\"value\":1}";
  private static final String B = "{ \"name\":\"b\", \"time\":1, \"value\":2 }";
  private static final String POINT_A = "a 1.0 1000";
  private static final String POINT_B = "b 2.0 1000";

  @ParameterizedTest
  @ValueSource(
      strings = {
        A + B,
        A + "\n" + B + "\n",
        "[" + A + "," + B + "]",
        "[" + A + "]\r\n[" + B + "]",
        " [ ] " + A + "[" + B + "][]",
        "{\"metrics\":[" + A + "," + B + "]}",
        "\t{ \"metrics\" : [ " + A + " ] , \"more\" : [[1],{}] }\n" + B,
        "\ufeff" + A + B,
      })
  void shouldReadElementsInAnyArrangement(String record) {
    Found found = Found.in(record);
    assertThat(found.all).containsExactly(POINT_A, POINT_B);
    assertThat(found.pieces).containsExactly(A, B);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " \n", "[]", "{\"metrics\":[]}"})
  void shouldFindNothingInAnEmptyRecord(String record) {
    assertThat(Found.in(record).all).isEmpty();
  }

  @Test
  void shouldKeepTheNeighboursOfABadElement() {
    Found found = Found.in("[" + A + ",{\"name\":\"x\",\"time\":\"soon\",\"value\":1}," + B + "]");
    assertThat(found.all).containsExactly(POINT_A, "! unreadable: 'time' is not a number", POINT_B);
    assertThat(found.pieces.get(1)).isEqualTo("{\"name\":\"x\",\"time\":\"soon\",\"value\":1}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"name":"x","time":1,"value":}     | Unexpected character
          {"name":"x","time":1               | Unexpected character
          {"name":"x","time":00              | Invalid numeric value
          <metrics/>                         | Unexpected character
          """)
  void shouldDropTheRestAfterBrokenJson(String broken, String fault) {
    Found found = Found.in(A + broken + "," + B);
    assertThat(found.all).hasSize(2).first().isEqualTo(POINT_A);
    assertThat(found.all.get(1)).startsWith("! unreadable: " + fault);
    assertThat(found.pieces.get(1)).isEqualTo(broken + "," + B);
  }

  @Test
  void shouldReportAnArrayThatDoesNotEnd() {
    Found found = Found.in("[" + A);
    assertThat(found.all).hasSize(2).first().isEqualTo(POINT_A);
    assertThat(found.all.get(1)).startsWith("! unreadable: Unexpected end-of-input");
  }

  @Test
  void shouldNameTheKeysOfAnUnknownObject() {
    assertThat(Found.in("{\"@timestamp\":\"x\",\"system\":{}} {} 7 [[1]]").all)
        .containsExactly(
            "! unreadable: an object with the keys @timestamp, system matches no dialect:"
                + " telegraf, collectd, jsonline, prometheus-adapter, opentsdb, vector, plain",
            "! unreadable: an object with no keys matches no dialect:"
                + " telegraf, collectd, jsonline, prometheus-adapter, opentsdb, vector, plain",
            "! unreadable: not an object",
            "! unreadable: an array in an array, not an object");
  }

  @Test
  void shouldReadOnlyTheConfiguredDialect() {
    assertThat(Found.in(A, "plain").all).containsExactly(POINT_A);
    assertThat(Found.in(A, "collectd").all)
        .containsExactly(
            "! unreadable: an object with the keys name, time, value matches no dialect:"
                + " collectd");
  }

  @Test
  void shouldRejectAnUnknownDialect() {
    assertThatThrownBy(
            () -> new JsonDecoder(new Naming(9, 9), TimeUnit.SECONDS, Optional.of("xml")))
        .hasMessage(
            "dialect 'xml' is not one of telegraf, collectd, jsonline, prometheus-adapter, opentsdb,"
                + " vector, plain (dialect)");
  }

  @Test
  void shouldUseTheLastOfEqualKeys() {
    assertThat(
            Found.in(
                    "{\"name\":\"x\",\"value\":1,\"tags\":{\"k\":\"1\",\"k\":\"2\"},"
                        + "\"time\":9,\"name\":\"y\",\"value\":2}")
                .all)
        .containsExactly("y;k=2 2.0 9000");
  }

  @ParameterizedTest
  @CsvSource({
    "1e999, Infinity",
    "-1e999, -Infinity",
    "123456789012345678901234567890, 1.2345678901234568E29",
    "9223372036854775807, 9.223372036854776E18",
    "-0.0, -0.0",
    "1E-400, 0.0",
    "NaN, NaN",
    "-Infinity, -Infinity",
  })
  void shouldEmitAnyNumber(String json, String value) {
    assertThat(Found.in("{\"name\":\"x\",\"time\":1,\"value\":" + json + "}").all)
        .containsExactly("x " + value + " 1000");
  }

  @ParameterizedTest
  @CsvSource({
    "SECONDS, 1455320690, 1455320690000",
    "SECONDS, 1455320690.25, 1455320690250",
    "MILLISECONDS, 1455320690250, 1455320690250",
    "MICROSECONDS, 1455320690250999, 1455320690250",
    "NANOSECONDS, 1455320690250999999, 1455320690250",
    "SECONDS, 9223372036854775807, 9223372036854775807",
    "SECONDS, 1e300, 9223372036854775807",
  })
  void shouldReadTimesInTheConfiguredUnit(TimeUnit unit, String time, long tMs) {
    String record = "{\"name\":\"x\",\"time\":" + time + ",\"value\":1}";
    assertThat(Found.in(record.getBytes(StandardCharsets.UTF_8), unit, Optional.empty()).all)
        .containsExactly("x 1.0 " + tMs);
  }

  @Test
  void shouldDropValuesBeyondTheLimits() {
    String deep = "[".repeat(40) + "]".repeat(40);
    String digits = "1".repeat(1001);
    for (String value : new String[] {deep, digits}) {
      Found found = Found.in(A + "{\"name\":\"x\",\"time\":1,\"value\":" + value + "}" + B);
      assertThat(found.all).hasSize(2).first().isEqualTo(POINT_A);
      assertThat(found.all.get(1)).startsWith("! unreadable: ").contains("maximum allowed");
    }
  }

  @Test
  void shouldDropLongNamesAndManyTagsAlone() {
    String fields = "\"f\":1,\"" + "x".repeat(80) + "\":2,\"g\":3";
    String tags = "\"a\":\"1\",\"b\":\"1\",\"c\":\"1\",\"d\":\"1\",\"e\":\"1\"";
    Found found =
        Found.in(
            "{\"name\":\"m\",\"timestamp\":1,\"fields\":{"
                + fields
                + "}}"
                + "{\"name\":\"m\",\"timestamp\":1,\"fields\":{\"f\":1},\"tags\":{"
                + tags
                + "}}");
    assertThat(found.all).hasSize(4).startsWith("m.f 1.0 1000").contains("m.g 3.0 1000");
    assertThat(found.all.get(1)).startsWith("! name-too-long: name of 82 bytes");
    assertThat(found.all.get(3)).startsWith("! too-many-tags: 5 tags, more than 4");
  }

  @Test
  void shouldNotReadUtf16() {
    byte[] record = A.getBytes(StandardCharsets.UTF_16LE);
    assertThat(Found.in(record, TimeUnit.SECONDS, Optional.empty()).all)
        .hasSize(1)
        .first()
        .asString()
        .startsWith("! unreadable: not UTF-8");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "[]",
        "42",
        "{}",
        "{\"name\":\"a\"}",
        "{\"resourceMetrics\":[{\"scopeMetrics\":[{\"metrics\":[{\"name\":\"g\"}]}]}]}",
        "{\"metrics\":[{\"name\":\"g\"}]}",
        "{\"name\":\"a\",\"time\":1,\"value\":",
        "a.b 1 1455320690",
        "cpu,host=a idle=1 1455320690",
        "PUTVAL web01/load/load 1455320690:1",
      })
  void shouldNotRecogniseOtherRecords(String record) {
    assertThat(JsonDecoder.recognises(record.getBytes(StandardCharsets.UTF_8))).isFalse();
  }

  @Test
  void shouldRecogniseARecordByItsFirstElement() {
    assertThat(JsonDecoder.recognises(("\n[" + A + ", oops").getBytes(StandardCharsets.UTF_8)))
        .isTrue();
  }
}
