package dev.rondo.formats.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.Naming;
import dev.rondo.formats.PointSink;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Records of 1 MiB that would be expensive if their claims were trusted. */
class HostileJsonTest {
  private static final int BYTES = 1 << 20;
  private static final String LONG = "x".repeat(BYTES / 2);
  private static final Duration BOUND = Duration.ofSeconds(30);

  static Stream<Map.Entry<String, String>> records() {
    return Stream.of(
        Map.entry("depth", "[{\"a\":".repeat(BYTES / 6)),
        Map.entry("elements", "[" + repeated("{}") + "]"),
        Map.entry("parts", "{\"name\":[" + repeated("{}") + "]}"),
        Map.entry("digits", "{\"name\":\"a\",\"time\":1,\"value\":" + "1".repeat(BYTES) + "}"),
        Map.entry("text", "{\"name\":\"a\",\"time\":1,\"value\":\"" + LONG + LONG + "\"}"),
        Map.entry("name", telegraf(LONG, "", repeated("\"f\":1"))),
        Map.entry("label", telegraf("m", "\"k\":\"" + LONG + "\"", repeated("\"f\":1"))),
        Map.entry("labels", telegraf("m", labels(), repeated("\"f\":1"))),
        Map.entry("texts", telegraf("m", "", repeated("\"f\":\"\""))),
        Map.entry("keys", telegraf("m", "", numberedKeys())),
        Map.entry("values", collectd("\"" + LONG + "\"", repeated("123"), repeated("\"d\""))),
        Map.entry("instances", collectd("\"h\"", repeated("123"), repeated("\"d\""))),
        Map.entry("nulls", jsonLine(repeated("null"), repeated("1000"))),
        Map.entry("points", jsonLine(repeated("1"), repeated("1"))));
  }

  private static String repeated(String part) {
    return (part + ",").repeat(BYTES / 4 / (part.length() + 1)) + part;
  }

  private static String labels() {
    StringBuilder labels = new StringBuilder("\"k\":1");
    for (int n = 0; n < 50; n++) {
      labels.append(",\"k").append(n).append("\":\"").append(LONG, 0, 10_000).append('"');
    }
    return labels.toString();
  }

  private static String numberedKeys() {
    StringBuilder fields = new StringBuilder("\"f\":1");
    for (int n = 0; n < BYTES / 14; n++) {
      fields.append(",\"f").append(n).append("\":1");
    }
    return fields.toString();
  }

  private static String telegraf(String name, String tags, String fields) {
    return "{\"name\":\"%s\",\"timestamp\":1,\"tags\":{%s},\"fields\":{%s}}"
        .formatted(name, tags, fields);
  }

  private static String collectd(String host, String values, String names) {
    return ("{\"host\":%s,\"plugin\":\"p\",\"type\":\"t\",\"time\":1,\"values\":[%s],"
            + "\"dsnames\":[%s]}")
        .formatted(host, values, names);
  }

  private static String jsonLine(String values, String times) {
    return "{\"metric\":{\"__name__\":\"m\"},\"values\":[%s],\"timestamps\":[%s]}"
        .formatted(values, times);
  }

  @ParameterizedTest
  @MethodSource("records")
  void shouldBoundTheCostOfAnyRecord(Map.Entry<String, String> record) {
    byte[] bytes = record.getValue().getBytes(StandardCharsets.UTF_8);
    Longest found = new Longest();
    JsonDecoder decoder = new JsonDecoder(new Naming(1024, 64), TimeUnit.SECONDS, Optional.empty());
    assertTimeoutPreemptively(
        BOUND,
        () -> {
          JsonDecoder.recognises(bytes);
          decoder.decode(bytes, 1, found);
        });
    assertThat(found.count).isPositive();
    assertThat(found.detail).isLessThan(400);
  }

  /** Keeps only the count and the length of the longest detail. */
  private static final class Longest implements PointSink {
    private int count;
    private int detail;

    @Override
    public void point(String ident, long tMs, double value, int from, int to) {
      count++;
    }

    @Override
    public void drop(DropReason reason, String text, int from, int to) {
      count++;
      detail = Math.max(detail, text.length());
    }
  }
}
