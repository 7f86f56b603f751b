package dev.rondo.loadgen.encode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.PointSink;
import dev.rondo.formats.catalog.DecoderSettings;
import dev.rondo.loadgen.plan.Names;
import dev.rondo.loadgen.shape.Values;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every format is read back by the topology's own decoder: names, times and values to the bit. */
class FormatTest {
  private static final int SERIES = 30;
  private static final int METRICS = 10;
  private static final long T_MS = 1_800_000_000_007L;

  @ParameterizedTest
  @EnumSource
  void shouldBeReadBackExactly(Format format) {
    check(format, false);
  }

  @ParameterizedTest
  @EnumSource
  void shouldNameWhatGenerationAMachineIsOf(Format format) {
    check(format, true);
  }

  private static void check(Format format, boolean hasGenerations) {
    Names names = format.names("a7f3", hasGenerations);
    Encoder encoder = format.encoder(new Fleet("a7f3", names, SERIES, METRICS));
    var values = new Values(7);
    for (int record = 0; record < 40; record++) {
      List<String> sent = new ArrayList<>();
      for (int n = 0; n <= record % 7; n++) {
        int series = (record * 7 + n) % SERIES;
        long generation = hasGenerations ? record / 5 : 0;
        long tMs = T_MS + 12_345L * record + n / 3; // some equal, as an agent sends them
        double value = n == 3 ? 0.0 : n == 4 ? 1e-9 * record : values.of(series, record);
        encoder.add(series, generation, tMs, value);
        byte[] ident = names.ident().fill(series / METRICS, series % METRICS, generation);
        sent.add(line(text(ident), tMs / format.timeUnitMs() * format.timeUnitMs(), value));
      }
      assertThat(read(format, encoder.take())).isEqualTo(sent);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldHaveGarbageThatNobodyCanRead(Format format) {
    for (int n = 0; n < 300; n++) {
      assertThat(read(format, Garbage.record(n))).singleElement().asString().startsWith("dropped");
    }
  }

  private static List<String> read(Format format, byte[] record) {
    Decoder decoder =
        decoder(format).decoder(new DecoderSettings(1024, 64, Optional.empty(), Optional.empty()));
    var found = new Found();
    decoder.decode(record, 0, found);
    return found.lines;
  }

  private static dev.rondo.formats.catalog.Format decoder(Format format) {
    String key =
        switch (format) {
          case COLLECTD -> "json";
          default -> format.label();
        };
    return dev.rondo.formats.catalog.Format.of(key).orElseThrow();
  }

  private static String line(String ident, long tMs, double value) {
    return ident + " " + tMs + " " + value;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static final class Found implements PointSink {
    private final List<String> lines = new ArrayList<>();

    @Override
    public void point(String ident, long tMs, double value, int from, int to) {
      lines.add(line(ident, tMs, value));
    }

    @Override
    public void drop(DropReason reason, String detail, int from, int to) {
      lines.add("dropped: " + reason + " " + detail);
    }
  }
}
