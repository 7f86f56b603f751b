package dev.rondo.formats.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.NameRules;
import dev.rondo.formats.Naming;
import dev.rondo.formats.PointSink;
import dev.rondo.formats.Template;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Objects that almost match a dialect. */
class DialectsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"fields":{},"name":"m"}                                       | no 'timestamp'
          {"fields":{},"name":7,"timestamp":1}                           | 'name' is not text
          {"fields":[],"name":"m","timestamp":1}                         | 'fields' is not an object
          {"fields":{"f":1},"name":"","timestamp":1,"tags":{"k":{}}}     | label 'k' is an object
          {"fields":{"f":1},"name":"m","timestamp":1,"tags":"k"}         | 'tags' is not an object
          {"fields":{"f":1},"name":"m","timestamp":-1}                   | time -1000 ms is not after 1970
          {"fields":{"value":1},"name":"..","timestamp":1}               | no name in '..'
          """)
  void shouldReportWhyATelegrafMetricIsUnreadable(String record, String detail) {
    assertThat(Found.in(record).all).containsExactly("! unreadable: " + detail);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"f":null}       | ! no-value: 'f' of 'm' is null
          {"f":"x"}        | ! text-value: 'f' of 'm' is the text 'x'
          {"f":{"g":1}}    | ! unsupported: 'f' of 'm' is an object or array
          {"f":true}       | m.f 1.0 1000
          """)
  void shouldConvertTelegrafFieldsByType(String fields, String found) {
    String record = "{\"fields\":" + fields + ",\"name\":\"m\",\"timestamp\":1}";
    assertThat(Found.in(record).all).containsExactly(found);
  }

  @Test
  void shouldReportEachValueOfAJsonLineWithoutAName() {
    String record =
        "{\"metric\":{\"__name__\":\"..\"},\"values\":[1,2],\"timestamps\":[1000,2000]}";
    assertThat(Found.in(record).all)
        .containsExactly("! unreadable: no name in '..'", "! unreadable: no name in '..'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          [1],["a","b"],"h"      | ! unreadable: 1 values, but 2 dsnames
          [1,2],["a",7],"h"      | h.p.t.a 1.0 1000, ! unreadable: 'dsnames' has an item that is not text
          [1,2],["","b"],"h"     | ! unreadable: 'dsnames' has an item that is not text, h.p.t.b 2.0 1000
          ["1"],["a"],"h"        | ! unreadable: value of 'h.p.t' is not a number
          [null],["a"],"h"       | ! no-value: value of 'h.p.t' is null
          7,["a"],"h"            | ! unreadable: 'values' is not an array
          [1],["a"],null         | ! unreadable: 'host' is not text
          [1],["value"],"h"      | h.p.t 1.0 1000
          [NaN],["value"],"h.i"  | h_i.p.t NaN 1000
          """)
  void shouldReadValueListsOfCollectd(String parts, String found) {
    int names = parts.indexOf(",[");
    int host = parts.lastIndexOf(',');
    String record =
        "{\"values\":%s,\"dsnames\":%s,\"host\":%s,\"time\":1,\"plugin\":\"p\",\"type\":\"t\"}"
            .formatted(
                parts.substring(0, names),
                parts.substring(names + 1, host),
                parts.substring(host + 1));
    assertThat(String.join(", ", Found.in(record).all)).isEqualTo(found);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "1.5"      | "2016-02-12T23:44:50Z"      | up;job=n 1.5 1455320690000
          2          | "2016-02-12T23:44:50.25Z"   | up;job=n 2.0 1455320690250
          "-Inf"     | "2016-02-13T00:44:50+01:00" | up;job=n -Infinity 1455320690000
          "1d"       | "2016-02-12T23:44:50Z"      | ! unreadable: 'value' is not a number: '1d'
          "1.2.3"    | "2016-02-12T23:44:50Z"      | ! unreadable: 'value' is not a number: '1.2.3'
          ""         | "2016-02-12T23:44:50Z"      | ! unreadable: 'value' is not a number: ''
          null       | "2016-02-12T23:44:50Z"      | ! unreadable: 'value' is not a number
          "1"        | "yesterday"                 | ! unreadable: 'timestamp' is not a time like 2026-05-04T10:00:10Z: 'yesterday'
          "1"        | "+999999999-01-01T00:00:00Z" | ! unreadable: 'timestamp' is not a time like 2026-05-04T10:00:10Z: '+999999999-01-01T00:00:00Z'
          "1"        | 1455320690                  | ! unreadable: 'timestamp' is not text
          """)
  void shouldReadSamplesOfThePrometheusAdapter(String value, String time, String found) {
    String record =
        "{\"labels\":{\"__name__\":\"up\",\"job\":\"n\"},\"name\":\"no\",\"timestamp\":%s,\"value\":%s}"
            .formatted(time, value);
    assertThat(Found.in(record).all).containsExactly(found);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          1356998400       | 1            | m 1.0 1356998400000
          4294967295       | "2"          | m 2.0 4294967295000
          4294967296       | 1            | m 1.0 4294967296
          1356998400123    | "NaN"        | m NaN 1356998400123
          "1356998400"     | 1            | m 1.0 1356998400000
          1356998400.5     | 1            | m 1.0 1356998400500
          0                | 1            | ! unreadable: time 0 ms is not after 1970
          "now"            | 1            | ! unreadable: 'timestamp' is not a number: 'now'
          1356998400       | {}           | ! unreadable: 'value' is not a number
          """)
  void shouldDistinguishSecondsFromMillisecondsOfOpenTsdb(String time, String value, String found) {
    String record = "{\"metric\":\"m\",\"timestamp\":%s,\"value\":%s}".formatted(time, value);
    assertThat(Found.in(record).all).containsExactly(found);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"counter":{}}                                  | ! unreadable: no 'value'
          {"counter":7}                                   | ! unreadable: no 'value'
          {"gauge":{"value":null}}                        | ! no-value: 'value' of 'v' is null
          {"aggregated_histogram":{"count":1,"sum":1}}    | ! unreadable: no 'buckets'
          {"aggregated_summary":{"quantiles":7}}          | ! unreadable: 'quantiles' is not an array
          {"sketch":{"AgentDDSketch":{}}}                 | ! unsupported: 'v' is not a counter, gauge, aggregated_histogram or aggregated_summary
          """)
  void shouldReportWhyAVectorMetricHoldsNoPoint(String value, String found) {
    String record =
        "{\"name\":\"v\",\"kind\":\"absolute\"," + value.substring(1, value.length() - 1) + "}";
    assertThat(Found.in(record).all).containsExactly(found);
  }

  @Test
  void shouldGiveTemplatesThePartsOfAPathOfCollectd() {
    NameRules rules =
        new NameRules(
            Optional.of(Template.parse("plugin.plugin_instance.type.dsname", "template")),
            "collectd",
            List.of(),
            Map.of());
    List<String> idents = new ArrayList<>();
    new JsonDecoder(new Naming(99, 9, rules), TimeUnit.SECONDS, Optional.empty())
        .decode(
            ("{\"values\":[1,2],\"dsnames\":[\"rx\",\"tx\"],\"time\":1,\"host\":\"web01\","
                    + "\"plugin\":\"interface\",\"plugin_instance\":\"eth0\","
                    + "\"type\":\"if_octets\",\"type_instance\":\"\"}")
                .getBytes(StandardCharsets.UTF_8),
            1,
            new PointSink() {
              @Override
              public void point(String ident, long tMs, double value, int from, int to) {
                idents.add(ident);
              }

              @Override
              public void drop(DropReason reason, String detail, int from, int to) {
                throw new AssertionError(detail);
              }
            });
    assertThat(idents)
        .containsExactly(
            "collectd.interface.eth0.if_octets.rx;host=web01",
            "collectd.interface.eth0.if_octets.tx;host=web01");
  }
}
