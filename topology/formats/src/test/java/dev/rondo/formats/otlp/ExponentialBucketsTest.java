package dev.rondo.formats.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.metrics.v1.ExponentialHistogram;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint.Buckets;
import io.opentelemetry.proto.metrics.v1.Metric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ExponentialBucketsTest {
  private static Buckets.Builder sent(int offset, long... counts) {
    return Buckets.newBuilder()
        .setOffset(offset)
        .addAllBucketCounts(LongStream.of(counts).boxed().toList());
  }

  private static List<String> read(int offset, int scale, long... counts) {
    ExponentialBuckets buckets = ExponentialBuckets.of(sent(offset, counts).build(), scale);
    List<String> read = new ArrayList<>();
    for (int n = 0; n < buckets.size(); n++) {
      read.add(
          "(%s,%s] %s"
              .formatted(
                  NumberLabel.ofSixDigits(buckets.lowerBound(n)),
                  NumberLabel.ofSixDigits(buckets.upperBound(n)),
                  NumberLabel.of(buckets.count(n))));
    }
    return read;
  }

  @Test
  void shouldKeepTheBucketsOfACoarseScale() {
    assertThat(read(-1, 0, 3, 4)).containsExactly("(0.5,1] 3", "(1,2] 4");
    assertThat(read(1, -1, 5)).containsExactly("(4,16] 5");
  }

  @Test
  void shouldMergeNeighboursOfAFinerScale() {
    // scale 2: (0.840896,1] (1,1.18921] (1.18921,1.41421] (1.41421,1.68179]
    assertThat(read(-1, 2, 1, 2, 3, 4))
        .containsExactly("(0.707107,1] 1", "(1,1.41421] 5", "(1.41421,2] 4");
  }

  @Test
  void shouldOmitEmptyBucketsAtTheEnds() {
    assertThat(read(-3, 1, 0, 0, 0, 7, 0, 9, 0))
        .containsExactly("(1,1.41421] 7", "(1.41421,2] 0", "(2,2.82843] 9");
    assertThat(read(0, 20, 0)).isEmpty();
    assertThat(read(0, 20)).isEmpty();
  }

  @Test
  void shouldNotExceedTheMaximumOfBuckets() {
    long[] counts = new long[1_000_000];
    Arrays.fill(counts, 1);
    List<String> read = read(-500_000, 1, counts);
    assertThat(read.size())
        .isBetween(ExponentialBuckets.MAX_BUCKETS / 2, ExponentialBuckets.MAX_BUCKETS);
  }

  @Test
  void shouldAcceptAnyScaleAndOffset() {
    assertThat(read(Integer.MAX_VALUE, Integer.MAX_VALUE, 1, 1)).containsExactly("(1,1.41421] 2");
    assertThat(read(Integer.MIN_VALUE, Integer.MAX_VALUE, 1)).containsExactly("(0.707107,1] 1");
    assertThat(read(-1, Integer.MIN_VALUE, 1, 2)).containsExactly("(0,1] 1", "(1,+Inf] 2");
  }

  @Property
  void shouldPreserveTheTotalCount(
      @ForAll @Size(max = 400) List<@IntRange(max = 9) Integer> counts,
      @ForAll @IntRange(min = -12, max = 24) int scale,
      @ForAll int offset) {
    ExponentialBuckets buckets =
        ExponentialBuckets.of(
            sent(offset, counts.stream().mapToLong(count -> count).toArray()).build(), scale);
    double total = 0;
    for (int n = 0; n < buckets.size(); n++) {
      total += buckets.count(n);
      assertThat(buckets.upperBound(n)).isGreaterThanOrEqualTo(buckets.lowerBound(n));
    }
    assertThat(total).isEqualTo(counts.stream().mapToInt(count -> count).sum());
    assertThat(buckets.size()).isLessThanOrEqualTo(ExponentialBuckets.MAX_BUCKETS);
  }

  /**
   * Values −3 −0.6 | 0 0 | 1.5 3, at scale 0.
   *
   * <pre>
   *   -4    -2    -1   -0.5   0    1    2    4
   *    |  1  |  0  |  1  |    2    |  1 |  1 |
   * </pre>
   */
  @Test
  void shouldCountFromTheLowestBoundUp() {
    ExponentialHistogramDataPoint.Builder data =
        ExponentialHistogramDataPoint.newBuilder()
            .setTimeUnixNano(10_000_000_000L)
            .setCount(6)
            .setZeroCount(2)
            .setZeroThreshold(0.25)
            .setNegative(sent(-1, 1, 0, 1))
            .setPositive(sent(0, 1, 1));
    Metric.Builder metric =
        Metric.newBuilder()
            .setName("m")
            .setExponentialHistogram(ExponentialHistogram.newBuilder().addDataPoints(data));
    assertThat(Found.in(Samples.record(metric)).points)
        .containsExactly(
            "m.count;host=web01 6.0 10000",
            "m.bucket;host=web01;le=-2 1.0 10000",
            "m.bucket;host=web01;le=-1 1.0 10000",
            "m.bucket;host=web01;le=-0.5 2.0 10000",
            "m.bucket;host=web01;le=0.25 4.0 10000",
            "m.bucket;host=web01;le=2 5.0 10000",
            "m.bucket;host=web01;le=4 6.0 10000",
            "m.bucket;host=web01;le=+Inf 6.0 10000");
  }

  @Test
  void shouldEmitNoBoundThatADoubleCannotHold() {
    ExponentialHistogramDataPoint.Builder data =
        ExponentialHistogramDataPoint.newBuilder()
            .setTimeUnixNano(10_000_000_000L)
            .setScale(-11)
            .setNegative(sent(-1, 1, 1))
            .setPositive(sent(-1, 1, 1));
    Metric.Builder metric =
        Metric.newBuilder()
            .setName("m")
            .setExponentialHistogram(ExponentialHistogram.newBuilder().addDataPoints(data));
    List<String> points = Found.in(Samples.record(metric)).points;
    assertThat(points)
        .contains(
            "m.bucket;host=web01;le=-1 1.0 10000",
            "m.bucket;host=web01;le=0 2.0 10000",
            "m.bucket;host=web01;le=1 3.0 10000",
            "m.bucket;host=web01;le=+Inf 4.0 10000")
        .hasSize(5);
    assertThat(Collections.frequency(points, "m.count;host=web01 0.0 10000")).isEqualTo(1);
  }
}
