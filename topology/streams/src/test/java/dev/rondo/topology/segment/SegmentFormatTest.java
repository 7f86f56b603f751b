package dev.rondo.topology.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.topology.config.FormatVersion;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Segments in each format, as files: this release reads them, and writes the same bytes in that
 * format.
 */
class SegmentFormatTest {
  private static final Policies POLICIES =
      PoliciesFile.parse(
          """
          policies:
            - {name: p, match: '.*', step: 10s, reorder: 30s, archives: ['10s:6h', '1m:7d']}
          """);

  private static SegmentCodec codec(FormatVersion version) {
    return new SegmentCodec(POLICIES, 0, SegmentContexts.of(5_000), version);
  }

  private static byte[] file(String name) throws IOException {
    try (InputStream in = SegmentFormatTest.class.getResourceAsStream(name)) {
      return in.readAllBytes();
    }
  }

  @Test
  void shouldReadASegmentOfTheFirstFormat() throws IOException {
    SegmentCodec codec = codec(FormatVersion.V1);

    Segment segment = codec.read(7, file("segment-1.bin")).orElseThrow();

    assertThat(segment.slots.lastMs(2)).isEqualTo(25_000);
    assertThat(segment.window.newestMs(1)).isEqualTo(50_000);
    assertThat(segment.history.previousUntilMs(0)).isEqualTo(9_000);
    List<String> rows = new ArrayList<>();
    segment.rows.forEach(
        (a, end, values, arrival) -> rows.add(a + "@" + end + Arrays.toString(values)));
    assertThat(rows).containsExactly("0@10000[0.0, 1.0, 2.0]", "0@20000[0.0, 1.0, 2.0]");
    assertThat(segment.lastSeen.seenMs(0)).isEqualTo(7_200_000);
    assertThat(segment.lastSeen.seenMs(1)).as("silent").isEqualTo(1_000);
    assertThat(codec.write(segment)).isEqualTo(file("segment-1.bin"));
  }

  /** Instances of one release may write different formats, and read each other's state. */
  @ParameterizedTest
  @EnumSource(FormatVersion.class)
  void shouldReadEveryFormat(FormatVersion version) throws IOException {
    SegmentCodec reader = codec(FormatVersion.NEWEST);
    Segment segment = reader.read(7, file("segment-1.bin")).orElseThrow();

    byte[] bytes = codec(version).write(segment);

    assertThat(bytes[0]).isEqualTo(version.segment());
    assertThat(reader.write(reader.read(7, bytes).orElseThrow())).isEqualTo(reader.write(segment));
  }
}
