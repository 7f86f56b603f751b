package dev.rondo.formats;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.rondo.formats.graphite.GraphiteDecoder;
import dev.rondo.formats.influx.InfluxDecoder;
import dev.rondo.formats.putval.PutvalDecoder;
import java.lang.management.ManagementFactory;
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

  /** A part of a name that a record uses in each of its points. */
  private static final String LONG = "x".repeat(BYTES / 2);

  /** Most allocations, garbage included; half a megabyte for each point would be 60 GB. */
  private static final long MAX_ALLOCATED_BYTES = 4L << 30;

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
            "PUTVAL " + repeated("\"\\\""),
            LONG + " f=1" + ",g=1".repeat(BYTES / 8),
            LONG + " value=1" + ",value=1".repeat(BYTES / 16),
            LONG + " f=\"\"" + ",g=\"\"".repeat(BYTES / 10),
            "m,t=" + LONG + " f=1" + ",g=1".repeat(BYTES / 8),
            "PUTVAL " + LONG + "/b/c 1" + ":1".repeat(BYTES / 4),
            "PUTVAL " + "x".repeat(4000) + "/b/c 1" + ":U".repeat(BYTES / 2));
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
  @Timeout(120)
  void shouldBoundTheCostByTheLength(byte[] record) {
    Naming naming = new Naming(300, 20);
    Longest longest = new Longest();
    ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = thread.getCurrentThreadAllocatedBytes();
    new GraphiteDecoder(naming, TimeUnit.SECONDS).decode(record, 0, longest);
    new InfluxDecoder(naming, TimeUnit.NANOSECONDS).decode(record, 0, longest);
    new PutvalDecoder(naming, TimeUnit.SECONDS).decode(record, 0, longest);
    assertThat(longest.detail).isLessThan(400);
    assertThat(thread.getCurrentThreadAllocatedBytes() - before).isLessThan(MAX_ALLOCATED_BYTES);
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
