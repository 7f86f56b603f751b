package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.schemas.Point;
import dev.rondo.topology.config.FormatVersion;
import dev.rondo.topology.order.Batch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.errors.SerializationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Buffered batches in each format, as files: this release reads them, and writes the same bytes in
 * that format.
 */
class MergeBufferFormatTest {
  private static byte[] file(String name) throws IOException {
    try (InputStream in = MergeBufferFormatTest.class.getResourceAsStream(name)) {
      return in.readAllBytes();
    }
  }

  @Test
  void shouldReadBufferedBatchesOfTheFirstFormat() throws IOException {
    ByteBuffer source = ByteBuffer.wrap(new byte[] {'p', 0, 0, 0, 3});
    MergeBufferCodec.Written written = MergeBufferCodec.read(file("merge-buffer-1.bin"));

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
    assertThat(bytes(written, FormatVersion.V1)).isEqualTo(file("merge-buffer-1.bin"));
  }

  /** Instances of one release may write different formats, and read each other's state. */
  @ParameterizedTest
  @EnumSource(FormatVersion.class)
  void shouldReadEveryFormat(FormatVersion version) throws IOException {
    MergeBufferCodec.Written written = MergeBufferCodec.read(file("merge-buffer-1.bin"));

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
