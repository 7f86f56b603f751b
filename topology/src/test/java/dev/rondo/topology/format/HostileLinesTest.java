package dev.rondo.topology.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.topology.format.graphite.GraphiteDecoder;
import dev.rondo.topology.format.influx.InfluxDecoder;
import dev.rondo.topology.format.putval.PutvalDecoder;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Records of a megabyte that are meant to cost time: each is read in well under a second. */
class HostileLinesTest {
  private static final int BYTES = 1_000_000;

  static Stream<String> records() {
    return Stream.of(
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
  void shouldCostNoMoreThanTheyAreLong(String record) {
    Naming naming = new Naming(300, 20);
    for (Decoder decoder :
        new Decoder[] {
          new GraphiteDecoder(naming, TimeUnit.SECONDS),
          new InfluxDecoder(naming, TimeUnit.NANOSECONDS),
          new PutvalDecoder(naming, TimeUnit.SECONDS)
        }) {
      assertThat(Found.in(record, decoder).details).allMatch(detail -> detail.length() < 400);
    }
  }
}
