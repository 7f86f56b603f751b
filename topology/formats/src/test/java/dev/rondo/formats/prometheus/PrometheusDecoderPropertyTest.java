package dev.rondo.formats.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import dev.rondo.formats.FoundInRecord;
import dev.rondo.formats.Naming;
import dev.rondo.formats.RecordLimits;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.xerial.snappy.Snappy;

/** Any bytes yield points or drops, each within its record, and never an exception. */
class PrometheusDecoderPropertyTest {
  private final PrometheusDecoder decoder =
      new PrometheusDecoder(new Naming(1024, 64), RecordLimits.DEFAULT);

  private void survives(byte[] record) {
    FoundInRecord.by(decoder, record);
    PrometheusDecoder.recognises(record);
  }

  @Property(tries = 2000)
  void shouldSurviveAnyBytes(@ForAll byte[] bytes) {
    survives(bytes);
  }

  @Property(tries = 2000)
  void shouldSurviveAnyMessage(@ForAll byte[] bytes) throws IOException {
    byte[] message = new WriteRequest().bytes(1, bytes).toBytes();
    survives(message);
    survives(Snappy.compress(message));
    survives(Zstd.compress(message));
  }

  @Property(tries = 2000)
  void shouldSurviveChangedAndCutRecords(
      @ForAll @IntRange(min = 0, max = 2) int compression,
      @ForAll @Size(max = 4) Map<@IntRange(min = 0, max = 400) Integer, Byte> changes,
      @ForAll @IntRange(min = 0, max = 400) int length)
      throws IOException {
    byte[] good = good();
    byte[] record =
        switch (compression) {
          case 0 -> good;
          case 1 -> Snappy.compress(good);
          default -> Zstd.compress(good);
        };
    changes.forEach((at, to) -> record[at % record.length] = to);
    survives(record);
    survives(Arrays.copyOf(record, Math.min(length, record.length)));
  }

  @Property(tries = 200)
  void shouldFindEveryPointBeforeACut(@ForAll @IntRange(min = 0, max = 12) int whole) {
    byte[] good = good();
    int series = good.length / 12;
    FoundInRecord found = FoundInRecord.by(decoder, Arrays.copyOf(good, whole * series));
    assertThat(found.points).hasSize(2 * whole);
    assertThat(found.drops).isEmpty();
  }

  /** 12 series of equal length, two samples each. */
  private static byte[] good() {
    WriteRequest request = new WriteRequest();
    for (int n = 10; n < 22; n++) {
      request.series(
          Map.of("__name__", "up", "instance", "web" + n),
          new TreeMap<>(Map.of(1_700_000_000_000L, 1.5, 1_700_000_015_000L, 2.5)));
    }
    return request.toBytes();
  }
}
