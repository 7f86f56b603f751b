package dev.rondo.topology.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.schemas.Topics;
import dev.rondo.topology.config.FormatVersion;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.policy.Policy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.errors.SerializationException;
import org.junit.jupiter.api.Test;

class SegmentCodecTest {
  private static final long WALL_MS = SegmentContexts.WALL_MS;

  private static SegmentCodec codec(Policies policies, long maxLingerMs, int replayEpoch) {
    return new SegmentCodec(
        policies, replayEpoch, SegmentContexts.of(maxLingerMs), FormatVersion.NEWEST);
  }

  private static Policies policies(String archives) {
    return PoliciesFile.parse(
        """
        policies:
          - {name: p, match: '.*', step: 10s, reorder: 30s, archives: [%s]}
        """
            .formatted(archives));
  }

  private static Segment filled(SegmentCodec codec, Policy policy, int width) {
    Segment segment = codec.create(7, policy, width);
    for (int series = 0; series < width; series++) {
      Segment to = segment;
      segment.slots.add(series, 5_000, 1, (a, s, end, v) -> {});
      segment.slots.add(
          series,
          25_000,
          series,
          (a, s, end, v) ->
              to.rows.set(a, s, end, v, width + 1, 25_000, WALL_MS, (b, e, values, arrival) -> {}));
    }
    return segment;
  }

  private static List<String> rows(Segment segment) {
    List<String> rows = new ArrayList<>();
    segment.rows.forEach(
        (a, end, values, arrival) -> rows.add(a + "@" + end + Arrays.toString(values)));
    return rows;
  }

  @Test
  void shouldReadAWrittenSegment() {
    Policies policies = policies("'10s:6h', '1m:7d'");
    SegmentCodec codec = codec(policies, 5_000, 0);
    Segment segment = filled(codec, policies.inOrder().get(0), 3);
    segment.window.add(1, 50_000, 7, 25_000, (series, tMs, value) -> {});
    segment.history.free(0, 9_000);
    segment.history.rewind(2, 8_000);
    Segment read = codec.read(7, codec.write(segment)).orElseThrow();
    assertThat(read.slots.lastMs(2)).isEqualTo(25_000);
    assertThat(read.window.newestMs(1)).isEqualTo(50_000);
    assertThat(read.history.previousUntilMs(0)).isEqualTo(9_000);
    assertThat(read.history.ownUntilMs(2)).isEqualTo(8_000);
    assertThat(rows(read))
        .isEqualTo(rows(segment))
        .containsExactly("0@10000[0.0, 1.0, 2.0]", "0@20000[0.0, 1.0, 2.0]");
    assertThat(codec.write(read)).isEqualTo(codec.write(segment));
  }

  @Test
  void shouldRewindASegmentThatHasNotSeenTheReplay() {
    Policies policies = policies("'10s:6h', '1m:7d'");
    Segment segment = filled(codec(policies, 5_000, 1), policies.inOrder().get(0), 3);
    segment.window.add(1, 50_000, 7, 25_000, (series, tMs, value) -> {});
    byte[] bytes = codec(policies, 5_000, 1).write(segment);
    SegmentCodec after = codec(policies, 5_000, 2);
    Segment rewound = after.read(7, bytes).orElseThrow();
    assertThat(rewound.newestMs(1)).isEqualTo(Long.MIN_VALUE);
    assertThat(rewound.usedUntilMs(1)).as("the minute of its last point").isEqualTo(60_000);
    assertThat(rows(rewound)).as("of closed slots").isEqualTo(rows(segment));
    rewound.slots.add(0, 61_000, 1, (a, s, end, v) -> {});
    Segment again = after.read(7, after.write(rewound)).orElseThrow();
    assertThat(again.slots.lastMs(0)).as("it has seen it").isEqualTo(61_000);
  }

  @Test
  void shouldDropRowsOfRemovedArchives() {
    Policies before = policies("'10s:6h', '1m:7d'");
    byte[] written =
        codec(before, 0, 0).write(filled(codec(before, 0, 0), before.inOrder().get(0), 3));
    Segment read = codec(policies("'1m:7d'"), 0, 0).read(7, written).orElseThrow();
    assertThat(rows(read)).isEmpty();
    assertThat(read.slots.lastMs(0)).isEqualTo(25_000);
  }

  @Test
  void shouldRejectAnotherFormatAndTruncatedBytes() {
    Policies policies = policies("'10s:6h'");
    SegmentCodec codec = codec(policies, 0, 0);
    byte[] bytes = codec.write(filled(codec, policies.inOrder().get(0), 2));
    byte[] other = bytes.clone();
    other[0] = 9;
    assertThatThrownBy(() -> codec.read(7, other))
        .isInstanceOf(SerializationException.class)
        .hasMessage("segment 7 has format 9; this release reads 1");
    assertThatThrownBy(() -> codec.read(7, Arrays.copyOf(bytes, bytes.length - 3)))
        .isInstanceOf(SerializationException.class)
        .hasMessage("segment 7 is cut short");
  }

  @Test
  void shouldFitTheLargestSegmentIntoARecord() {
    String most =
        IntStream.rangeClosed(1, 32)
            .mapToObj(n -> "'10s:" + n * 10 + "m'")
            .collect(Collectors.joining(", "));
    Policies policies = policies(most);
    SegmentCodec codec = codec(policies, 5_000, 0);
    Segment segment = codec.create(7, policies.inOrder().get(0), 2_000);
    for (int series = 0; series < 2_000; series++) {
      segment.slots.add(series, 5_000, 1, (a, s, end, v) -> {});
      segment.slots.add(
          series,
          100_000,
          series,
          (a, s, end, v) ->
              segment.rows.set(
                  a, s, end, v, 2_001, 25_000, WALL_MS, (b, e, values, arrival) -> {}));
    }
    assertThat(codec.write(segment).length).isBetween(1_500_000, Topics.MAX_RECORD_BYTES - 4096);
  }
}
