package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.schemas.Topics;
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
  private static final long WALL_MS = 9_000_000;

  private static Policies policies(String archives) {
    return PoliciesFile.parse(
        """
        policies:
          - {name: p, match: '.*', step: 10s, archives: [%s]}
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
              to.rows.set(a, s, end, v, width + 1, 25_000, WALL_MS, (b, e, values) -> {}));
    }
    return segment;
  }

  private static List<String> rows(Segment segment) {
    List<String> rows = new ArrayList<>();
    segment.rows.forEach((a, end, values) -> rows.add(a + "@" + end + Arrays.toString(values)));
    return rows;
  }

  @Test
  void shouldReadWhatItWrote() {
    Policies policies = policies("'10s:6h', '1m:7d'");
    SegmentCodec codec = new SegmentCodec(policies, 5_000);
    Segment segment = filled(codec, policies.inOrder().get(0), 3);
    Segment read = codec.read(7, codec.write(segment), WALL_MS).orElseThrow();
    assertThat(read.slots.lastMs(2)).isEqualTo(25_000);
    assertThat(rows(read))
        .isEqualTo(rows(segment))
        .containsExactly("0@10000[0.0, 1.0, 2.0]", "0@20000[0.0, 1.0, 2.0]");
    assertThat(codec.write(read)).isEqualTo(codec.write(segment));
  }

  @Test
  void shouldDropRowsOfArchivesThatAreGone() {
    Policies before = policies("'10s:6h', '1m:7d'");
    byte[] written =
        new SegmentCodec(before, 0)
            .write(filled(new SegmentCodec(before, 0), before.inOrder().get(0), 3));
    Segment read = new SegmentCodec(policies("'1m:7d'"), 0).read(7, written, WALL_MS).orElseThrow();
    assertThat(rows(read)).isEmpty();
    assertThat(read.slots.lastMs(0)).isEqualTo(25_000);
  }

  @Test
  void shouldRefuseAnotherFormatAndBytesThatAreCutShort() {
    Policies policies = policies("'10s:6h'");
    SegmentCodec codec = new SegmentCodec(policies, 0);
    byte[] bytes = codec.write(filled(codec, policies.inOrder().get(0), 2));
    byte[] other = bytes.clone();
    other[0] = 9;
    assertThatThrownBy(() -> codec.read(7, other, WALL_MS))
        .isInstanceOf(SerializationException.class)
        .hasMessage("segment 7 has format 9, this program reads 2");
    assertThatThrownBy(() -> codec.read(7, Arrays.copyOf(bytes, bytes.length - 3), WALL_MS))
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
    SegmentCodec codec = new SegmentCodec(policies, 5_000);
    Segment segment = codec.create(7, policies.inOrder().get(0), 2_000);
    for (int series = 0; series < 2_000; series++) {
      segment.slots.add(series, 5_000, 1, (a, s, end, v) -> {});
      segment.slots.add(
          series,
          100_000,
          series,
          (a, s, end, v) ->
              segment.rows.set(a, s, end, v, 2_001, 25_000, WALL_MS, (b, e, values) -> {}));
    }
    assertThat(codec.write(segment).length).isBetween(2_000_000, Topics.MAX_RECORD_BYTES - 4096);
  }
}
