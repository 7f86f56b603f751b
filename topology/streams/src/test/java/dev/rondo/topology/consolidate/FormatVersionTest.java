package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.schemas.Point;
import dev.rondo.topology.order.Batch;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.errors.SerializationException;
import org.junit.jupiter.api.Test;

/** State that former releases have written, as files that are never written again. */
class FormatVersionTest {
  private static final Policies POLICIES =
      PoliciesFile.parse(
          """
          policies:
            - {name: p, match: '.*', step: 10s, reorder: 30s, archives: ['10s:6h', '1m:7d']}
          """);

  private static byte[] file(String name) throws IOException {
    try (InputStream in = FormatVersionTest.class.getResourceAsStream(name)) {
      return in.readAllBytes();
    }
  }

  @Test
  void shouldReadASegmentOfTheFirstFormat() throws IOException {
    SegmentCodec codec = new SegmentCodec(POLICIES, 5_000, 0, TaskMemory.unbounded());

    Segment segment = codec.read(7, file("segment-1.bin"), 9_000_000).orElseThrow();

    assertThat(segment.slots.lastMs(2)).isEqualTo(25_000);
    assertThat(segment.window.newestMs(1)).isEqualTo(50_000);
    assertThat(segment.history.formerUntilMs(0)).isEqualTo(9_000);
    List<String> rows = new ArrayList<>();
    segment.rows.forEach((a, end, values) -> rows.add(a + "@" + end + Arrays.toString(values)));
    assertThat(rows).containsExactly("0@10000[0.0, 1.0, 2.0]", "0@20000[0.0, 1.0, 2.0]");
  }

  @Test
  void shouldReadWaitingBatchesOfTheFirstFormat() throws IOException {
    ByteBuffer source = ByteBuffer.wrap(new byte[] {'p', 0, 0, 0, 3});
    MergeBufferCodec.Written written = MergeBufferCodec.read(file("waiting-1.bin"));

    assertThat(written.replayEpoch()).isEqualTo(4);
    assertThat(written.batches())
        .containsExactly(
            new Batch(11, source, 7, 1_000, "", List.of(new Point("a", 900L, 1.5))),
            new Batch(
                13,
                source,
                8,
                2_000,
                "p",
                List.of(new Point("b;k=v", 1_900L, -2.0), new Point("a", 1_950L, 3.0))));
  }

  @Test
  void shouldRefuseWaitingBatchesThatALaterReleaseHasWritten() {
    assertThatThrownBy(() -> MergeBufferCodec.read(new byte[] {127}))
        .isInstanceOf(SerializationException.class)
        .hasMessage("points that wait have format 127, this program reads 2");
  }
}
