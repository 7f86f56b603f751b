package dev.rondo.formats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.graphite.GraphiteDecoder;
import dev.rondo.formats.influx.InfluxDecoder;
import dev.rondo.formats.putval.PutvalDecoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Records of one megabyte built to cost more time or memory than their length. */
class HostileLinesTest {
  private static final int BYTES = 1_000_000;

  static Stream<Named<byte[]>> records() {
    Stream<String> records =
        Stream.of(
            repeated("m f=\"\n"),
            repeated("m f=\"a\nm f=\"b"),
            repeated("m f=\"\\\n"),
            "m f=1" + repeated(",a=\"\n\""),
            "m f=" + repeated("\"x"),
            "m" + descendingTags(',') + " f=1 1",
            "m" + descendingTags(';') + " 1 1",
            "m f=1" + repeated(",f=x"),
            repeated("\\"),
            repeated("."),
            repeated(";"),
            repeated("a "),
            repeated("#"),
            repeated("\n"),
            "a 1" + repeated("0") + " 1",
            "a 0." + repeated("1") + "e-1 1",
            "PUTVAL " + repeated("/"),
            "PUTVAL a/b/c 1" + repeated(":U"),
            "PUTVAL a/b/c" + repeated(" 1:x"),
            "PUTVAL " + repeated("\"\\\""));
    return records
        .map(record -> record.getBytes(StandardCharsets.UTF_8))
        .map(record -> Named.of("'" + Excerpt.of(record, 0, 20) + "'", record));
  }

  private static String repeated(String text) {
    return text.repeat(BYTES / text.length());
  }

  private static String descendingTags(char between) {
    StringBuilder tags = new StringBuilder();
    IntStream.range(0, 100_000).forEach(n -> tags.append(between).append(200_000 - n).append("=x"));
    return tags.toString();
  }

  @ParameterizedTest
  @MethodSource("records")
  @Timeout(20)
  void shouldBoundTheCostByTheLength(byte[] record) {
    Naming naming = new Naming(300, 20);
    Longest longest = new Longest();
    new GraphiteDecoder(naming, TimeUnit.SECONDS).decode(record, 0, longest);
    new InfluxDecoder(naming, TimeUnit.NANOSECONDS).decode(record, 0, longest);
    new PutvalDecoder(naming, TimeUnit.SECONDS).decode(record, 0, longest);
    assertThat(longest.detail).isLessThan(400);
  }

  /** Keeps only the length of the longest detail. */
  private static final class Longest implements PointSink {
    int detail;

    @Override
    public void point(String ident, long tMs, double value, int from, int to) {}

    @Override
    public void drop(DropReason reason, String text, int from, int to) {
      detail = Math.max(detail, text.length());
    }
  }
}
