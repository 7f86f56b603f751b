package dev.rondo.formats.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.Naming;
import dev.rondo.formats.PointSink;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Any bytes yield points or drops, each within the record, and never an exception. */
class JsonDecoderPropertyTest {
  private static final String[] GOOD = {
    "telegraf-batch", "collectd", "prometheus-adapter", "opentsdb", "jsonline", "vector", "plain"
  };

  private final JsonDecoder decoder =
      new JsonDecoder(new Naming(80, 4), TimeUnit.SECONDS, Optional.empty());

  /** Counts, and checks the bounds. */
  private static final class Bounded implements PointSink {
    private final int length;
    private int count;

    Bounded(int length) {
      this.length = length;
    }

    @Override
    public void point(String ident, long tMs, double value, int from, int to) {
      assertThat(ident).isNotEmpty();
      assertThat(tMs).isPositive();
      found(from, to);
    }

    @Override
    public void drop(DropReason reason, String detail, int from, int to) {
      assertThat(detail).isNotEmpty().doesNotContain("\n");
      found(from, to);
    }

    private void found(int from, int to) {
      assertThat(from).isBetween(0, to);
      assertThat(to).isLessThanOrEqualTo(length);
      count++;
    }
  }

  private int decode(byte[] record) {
    Bounded found = new Bounded(record.length);
    decoder.decode(record, 1, found);
    JsonDecoder.recognises(record);
    return found.count;
  }

  @Property
  void shouldAcceptAnyBytes(@ForAll byte[] record) {
    decode(record);
  }

  @Property
  void shouldAcceptAnyPieceAndAnyChangeOfAGoodRecord(
      @ForAll @IntRange(max = 6) int good,
      @ForAll @IntRange(max = 2000) int cut,
      @ForAll @IntRange(max = 2000) int changedAt,
      @ForAll byte changed)
      throws IOException {
    byte[] record = read(GOOD[good]);
    record[changedAt % record.length] = changed;
    int from = cut % record.length;
    assertThat(decode(record)).isPositive();
    assertThat(decode(Arrays.copyOfRange(record, from, record.length))).isNotNegative();
    assertThat(decode(Arrays.copyOf(record, from))).isNotNegative();
  }

  private static byte[] read(String name) throws IOException {
    try (InputStream in = JsonDecoderPropertyTest.class.getResourceAsStream(name + ".json")) {
      return in.readAllBytes();
    }
  }

  @Property
  void shouldAcceptAnyJsonWithKeysOfTheDialects(@ForAll("json") String record) {
    assertThat(decode(record.getBytes(StandardCharsets.UTF_8))).isNotNegative();
  }

  @Provide
  Arbitrary<String> json() {
    Arbitrary<String> scalars =
        Arbitraries.of(
            "1",
            "-1",
            "1e999",
            "0.5",
            "NaN",
            "true",
            "false",
            "null",
            "\"\"",
            "\"1\"",
            "\"x\"",
            "\"absolute\"",
            "\"2016-02-12T23:44:50Z\"",
            "\"Metric\"",
            "99999999999999999999");
    Arbitrary<String> keys =
        Arbitraries.of(
            "name",
            "fields",
            "tags",
            "timestamp",
            "values",
            "dsnames",
            "host",
            "plugin",
            "type",
            "time",
            "metric",
            "timestamps",
            "labels",
            "value",
            "kind",
            "counter",
            "gauge",
            "aggregated_histogram",
            "aggregated_summary",
            "buckets",
            "quantiles",
            "count",
            "sum",
            "upper_limit",
            "quantile",
            "__name__",
            "namespace");
    Arbitrary<String> parts =
        Arbitraries.lazyOf(
            () -> scalars,
            () -> scalars,
            () -> array(scalars),
            () -> object(keys, scalars),
            () -> array(object(keys, scalars)));
    return object(keys, Arbitraries.oneOf(parts, object(keys, parts)));
  }

  private static Arbitrary<String> array(Arbitrary<String> items) {
    return items.list().ofMaxSize(4).map(list -> "[" + String.join(",", list) + "]");
  }

  private static Arbitrary<String> object(Arbitrary<String> keys, Arbitrary<String> values) {
    return Combinators.combine(keys, values)
        .as((key, value) -> "\"" + key + "\":" + value)
        .list()
        .ofMaxSize(12)
        .map(list -> "{" + String.join(",", list) + "}");
  }
}
