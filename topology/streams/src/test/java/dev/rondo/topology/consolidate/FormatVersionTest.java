package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.schemas.Point;
import dev.rondo.topology.config.FormatVersion;
import dev.rondo.topology.order.Batch;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.errors.SerializationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * State in each format, as files: this release reads them, and writes the same bytes in that
 * format.
 */
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
    SegmentCodec codec =
        new SegmentCodec(POLICIES, 5_000, 0, TaskMemory.unbounded(), FormatVersion.V1);

    Segment segment = codec.read(7, file("segment-1.bin"), 9_000_000).orElseThrow();

    assertThat(segment.slots.lastMs(2)).isEqualTo(25_000);
    assertThat(segment.window.newestMs(1)).isEqualTo(50_000);
    assertThat(segment.history.previousUntilMs(0)).isEqualTo(9_000);
    List<String> rows = new ArrayList<>();
    segment.rows.forEach((a, end, values) -> rows.add(a + "@" + end + Arrays.toString(values)));
    assertThat(rows).containsExactly("0@10000[0.0, 1.0, 2.0]", "0@20000[0.0, 1.0, 2.0]");
    assertThat(segment.lastSeenArrivalMs(0)).isEqualTo(7_200_000);
    assertThat(segment.lastSeenArrivalMs(1)).as("silent").isEqualTo(1_000);
    assertThat(codec.write(segment)).isEqualTo(file("segment-1.bin"));
  }

  @Test
  void shouldReadBufferedBatchesOfTheFirstFormat() throws IOException {
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
    assertThat(bytes(written, FormatVersion.V1)).isEqualTo(file("waiting-1.bin"));
  }

  /** Instances of one release may write different formats, and read each other's state. */
  @ParameterizedTest
  @EnumSource(FormatVersion.class)
  void shouldReadEveryFormatWhicheverIsWritten(FormatVersion version) throws IOException {
    SegmentCodec reader = new SegmentCodec(POLICIES, 5_000, 0, TaskMemory.unbounded());
    SegmentCodec writer = new SegmentCodec(POLICIES, 5_000, 0, TaskMemory.unbounded(), version);
    Segment segment = reader.read(7, file("segment-1.bin"), 9_000_000).orElseThrow();
    MergeBufferCodec.Written written = MergeBufferCodec.read(file("waiting-1.bin"));

    byte[] bytes = writer.write(segment);

    assertThat(bytes[0]).isEqualTo(version.segment());
    assertThat(reader.write(reader.read(7, bytes, 9_000_000).orElseThrow()))
        .isEqualTo(reader.write(segment));
    assertThat(bytes(written, version)[0]).isEqualTo(version.mergeBuffer());
    assertThat(MergeBufferCodec.read(bytes(written, version))).isEqualTo(written);
  }

  private static byte[] bytes(MergeBufferCodec.Written written, FormatVersion version) {
    var bytes = new ByteArrayOutputStream();
    MergeBufferCodec.writeFirst(
        written.batches(), written.replayEpoch(), Integer.MAX_VALUE, version, bytes);
    return bytes.toByteArray();
  }

  @Test
  void shouldRejectBufferedBatchesOfALaterRelease() {
    assertThatThrownBy(() -> MergeBufferCodec.read(new byte[] {127}))
        .isInstanceOf(SerializationException.class)
        .hasMessage("the merge buffer has format 127; this release reads 1");
  }
}
