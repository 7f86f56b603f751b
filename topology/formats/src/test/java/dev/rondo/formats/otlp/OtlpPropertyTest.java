package dev.rondo.formats.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.sun.management.ThreadMXBean;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/**
 * Any bytes yield points or drops, each within the record; never an exception or an endless loop.
 */
class OtlpPropertyTest {
  private static final Duration LONGEST = Duration.ofSeconds(20);

  private static final List<byte[]> GOOD =
      List.of(
          Samples.file("cumulative.bin"),
          Samples.file("delta.bin"),
          Samples.file("cumulative.json"),
          Samples.file("protocol-example.json"));

  /** Half a megabyte for each point would be 10 GB. */
  @Example
  void shouldNotBuildALongNameForEachPoint() {
    NumberDataPoint.Builder[] points = new NumberDataPoint.Builder[20_000];
    Arrays.fill(points, Samples.dataPoint(1));
    byte[] record = Samples.record(Samples.gauge("x".repeat(500_000), points));
    ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = thread.getCurrentThreadAllocatedBytes();
    Found found = Found.in(record);
    assertThat(thread.getCurrentThreadAllocatedBytes() - before).isLessThan(500L << 20);
    assertThat(found.drops).hasSize(20_000).allMatch(drop -> drop.startsWith("name-too-long: "));
  }

  @Property
  void shouldReadAnyBytes(@ForAll byte[] bytes) {
    assertAccountedFor(bytes);
  }

  @Property(tries = 6_000)
  void shouldReadAnyText(@ForAll("begun") String begun, @ForAll("jsonLike") String text) {
    assertAccountedFor((begun + text).getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Prefixes that end after a whole message and within each level, so that faults hit every level.
   */
  @Provide
  Arbitrary<String> begun() {
    return Arbitraries.of(
        "{",
        "{}",
        "{\"resourceMetrics\":",
        "{\"resourceMetrics\":[{\"scopeMetrics\":",
        "{\"resourceMetrics\":[{\"scopeMetrics\":[{\"metrics\":",
        "{\"resourceMetrics\":[{\"scopeMetrics\":[{\"metrics\":[{\"gauge\":{\"dataPoints\":");
  }

  @Provide
  Arbitrary<String> jsonLike() {
    return Arbitraries.of(
            "{}",
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"",
            "\n",
            "1",
            "-",
            "null",
            "\"resourceMetrics\":",
            "\"scopeMetrics\":",
            "\"metrics\":",
            "\"gauge\":",
            "\"dataPoints\":",
            "\"asInt\":",
            "ü")
        .list()
        .ofMaxSize(40)
        .map(pieces -> String.join("", pieces));
  }

  @Property
  void shouldReadGoodRecordsWithWrongBytes(
      @ForAll @IntRange(max = 3) int which,
      @ForAll @IntRange(min = 1, max = 8) int faults,
      @ForAll long seed) {
    Random random = new Random(seed);
    byte[] bytes = GOOD.get(which).clone();
    for (int n = 0; n < faults; n++) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    assertAccountedFor(bytes);
  }

  @Property
  void shouldReadCutRecords(
      @ForAll @IntRange(max = 3) int which, @ForAll @IntRange(max = 8000) int length) {
    byte[] good = GOOD.get(which);
    assertAccountedFor(Arrays.copyOf(good, Math.min(length, good.length)));
  }

  private static void assertAccountedFor(byte[] bytes) {
    Found found =
        assertTimeoutPreemptively(
            LONGEST,
            () -> {
              OtlpDecoder.recognises(bytes);
              return Found.in(bytes);
            });
    assertThat(found.points.size() + found.drops.size()).isPositive();
  }
}
