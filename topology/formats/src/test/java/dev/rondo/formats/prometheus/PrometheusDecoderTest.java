package dev.rondo.formats.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import com.sun.management.ThreadMXBean;
import dev.rondo.formats.FoundInRecord;
import dev.rondo.formats.Naming;
import dev.rondo.formats.RecordLimits;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xerial.snappy.Snappy;

class PrometheusDecoderTest {
  /** {@code cpu_usage_idle{cpu="cpu-total",host="web01"} 98.09} of 2016. */
  private static final byte[] ONE =
      HexFormat.of()
          .parseHex(
              "0a4f0a1a0a085f5f6e616d655f5f120e6370755f75736167655f69646c650a100a0363707512096370752d"
                  + "746f74616c0a0d0a04686f737412057765623031121009f6285c8fc285584010d0dafdbead2a");

  private static final String POINT = "cpu_usage_idle;cpu=cpu-total;host=web01 98.09 1455320690000";
  private static final Map<String, String> UP = Map.of("__name__", "up");
  private static final double STALE = Double.longBitsToDouble(0x7ff0000000000002L);

  private static FoundInRecord decode(byte[] record) {
    return FoundInRecord.by(
        new PrometheusDecoder(new Naming(200, 5), RecordLimits.DEFAULT), record);
  }

  private static FoundInRecord decode(WriteRequest request) {
    return decode(request.toBytes());
  }

  @Test
  void shouldReadAPlainMessage() {
    FoundInRecord found = decode(ONE);
    assertThat(found.points).containsExactly(POINT);
    assertThat(found.ranges).containsExactly("0..81");
  }

  @Test
  void shouldReadASnappyBlock() throws IOException {
    byte[] record = Snappy.compress(ONE);
    FoundInRecord found = decode(record);
    assertThat(found.points).containsExactly(POINT);
    assertThat(found.ranges).containsExactly("0.." + record.length);
  }

  @Test
  void shouldReadAZstdFrame() {
    assertThat(decode(Zstd.compress(ONE)).points).containsExactly(POINT);
  }

  /** The first byte of each is its length, which also looks like a field of a message. */
  @ParameterizedTest
  @ValueSource(ints = {0x1a, 0x22, 0x2a, 0x50})
  void shouldDistinguishASnappyBlockFromAMessageOfAnyLength(int length) throws IOException {
    String name = "n".repeat(length - 25);
    WriteRequest request = new WriteRequest();
    request.message(
        1,
        new WriteRequest()
            .label("__name__", name)
            .message(2, new WriteRequest().number(2, 1_700_000_000_000L)));
    byte[] message = request.toBytes();
    assertThat(message).hasSize(length);
    assertThat(decode(Snappy.compress(message)).points)
        .as("0 is not written")
        .containsExactly(name + " 0.0 1700000000000");
  }

  /** Five kilobytes of zstd that claim sixteen million samples. */
  @Test
  void shouldRejectTooManySamplesBeforeAllocatingMemory() {
    byte[] samples = new byte[31 << 20];
    for (int at = 0; at < samples.length; at += 2) {
      samples[at] = 0x12; // a sample without a value or a time
    }
    byte[] record = Zstd.compress(new WriteRequest().bytes(1, samples).toBytes());
    assertThat(record).hasSizeLessThan(10_000);
    ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = thread.getCurrentThreadAllocatedBytes();
    FoundInRecord found = decode(record);
    assertThat(thread.getCurrentThreadAllocatedBytes() - before).isLessThan(100L << 20);
    assertThat(found.points).isEmpty();
    assertThat(found.drops).hasSize(1);
    assertThat(found.drops.get(0)).startsWith("record-over-limit: ").contains("record.max.points");
  }

  @Test
  void shouldReadConsecutiveRecords() throws IOException {
    PrometheusDecoder decoder = new PrometheusDecoder(new Naming(200, 5), RecordLimits.DEFAULT);
    byte[] large =
        new WriteRequest()
            .series(Map.of("__name__", "a", "l", "x".repeat(150)), Map.of(1L, 1.0))
            .toBytes();
    assertThat(FoundInRecord.by(decoder, Snappy.compress(large)).points).hasSize(1);
    assertThat(FoundInRecord.by(decoder, Snappy.compress(ONE)).points).containsExactly(POINT);
    assertThat(FoundInRecord.by(decoder, ONE).points).containsExactly(POINT);
  }

  @Test
  void shouldReadSamplesInTheirOrder() {
    Map<Long, Double> samples = new TreeMap<>();
    for (long tMs = 1; tMs <= 40; tMs++) {
      samples.put(tMs, -1.5 * tMs);
    }
    FoundInRecord found =
        decode(new WriteRequest().series(UP, samples).series(UP, Map.of(7L, 2.0)));
    assertThat(found.points).hasSize(41).startsWith("up -1.5 1", "up -3.0 2").endsWith("up 2.0 7");
  }

  @Test
  void shouldCountStaleMarkersAndEmitOtherNans() {
    WriteRequest request =
        new WriteRequest()
            .series(UP, Map.of(10L, STALE))
            .series(UP, Map.of(20L, Double.NaN))
            .series(UP, Map.of(30L, Double.NEGATIVE_INFINITY));
    FoundInRecord found = decode(request);
    assertThat(found.points).containsExactly("up NaN 20", "up -Infinity 30");
    assertThat(found.drops).containsExactly("no-value: stale marker of 'up'");
  }

  @Test
  void shouldCountEachNativeHistogram() {
    WriteRequest series = WriteRequest.timeSeries(UP, Map.of(10L, 1.0));
    series.message(4, new WriteRequest().number(1, 5)).message(4, new WriteRequest());
    FoundInRecord found = decode(new WriteRequest().message(1, series));
    assertThat(found.points).containsExactly("up 1.0 10");
    assertThat(found.drops)
        .containsExactly(
            "unsupported: native histogram of 'up'", "unsupported: native histogram of 'up'");
  }

  @Test
  void shouldSkipMetadataAndExemplars() {
    WriteRequest series = WriteRequest.timeSeries(UP, Map.of(10L, 1.0));
    series.message(3, new WriteRequest().label("trace_id", "x").sample(10, 3));
    WriteRequest request =
        new WriteRequest()
            .message(1, series)
            .number(2, 1) // Mimir's source
            .message(3, new WriteRequest().number(1, 2).text(2, "up").text(4, "is it there"))
            .number(1000, 1);
    FoundInRecord found = decode(request);
    assertThat(found.points).containsExactly("up 1.0 10");
    assertThat(found.drops).isEmpty();
  }

  @Test
  void shouldFindNothingInMetadataAlone() {
    WriteRequest request = new WriteRequest().message(3, new WriteRequest().text(2, "up"));
    FoundInRecord found = decode(request);
    assertThat(found.points).isEmpty();
    assertThat(found.drops).isEmpty();
  }

  @Test
  void shouldNotReadRemoteWrite2() throws IOException {
    WriteRequest request =
        new WriteRequest()
            .text(4, "")
            .text(4, "__name__")
            .text(4, "up")
            .message(5, new WriteRequest().bytes(1, new byte[] {1, 2}).sample(10, 1));
    String drop = "unsupported: remote write 2.0: set the sender to 1.0, prometheus.WriteRequest";
    assertThat(decode(request).drops).containsExactly(drop);
    assertThat(decode(Snappy.compress(request.toBytes())).drops).containsExactly(drop);
  }

  @Test
  void shouldKeepTheNeighboursOfABadSeries() {
    WriteRequest request =
        new WriteRequest()
            .series(Map.of("job", "x"), Map.of(10L, 1.0))
            .message(1, new WriteRequest().bytes(1, new byte[] {0x0a, 0x7f, 'x'}))
            .message(1, WriteRequest.timeSeries(UP, Map.of()).bytes(2, new byte[] {0x09, 1}))
            .message(
                1,
                new WriteRequest()
                    .message(1, new WriteRequest().bytes(1, new byte[] {(byte) 0xff})))
            .series(Map.of("__name__", "y".repeat(201)), Map.of(10L, 1.0, 20L, 1.0))
            .series(UP, Map.of(-10L, 1.0))
            .series(UP, Map.of(20L, 2.0));
    FoundInRecord found = decode(request);
    assertThat(found.points).containsExactly("up 2.0 20");
    assertThat(found.drops)
        .satisfiesExactly(
            drop -> assertThat(drop).isEqualTo("unreadable: series without label __name__"),
            drop -> assertThat(drop).startsWith("unreadable: series at byte 27: "),
            drop -> assertThat(drop).startsWith("unreadable: series at byte 34: "),
            drop -> assertThat(drop).startsWith("unreadable: series at byte 56: "),
            drop -> assertThat(drop).startsWith("name-too-long: name of 201 bytes"),
            drop -> assertThat(drop).startsWith("name-too-long: name of 201 bytes"),
            drop -> assertThat(drop).isEqualTo("unreadable: time -10 of 'up' is not after 1970"));
  }

  @Test
  void shouldBoundTheNumberOfSortedLabels() {
    WriteRequest series = new WriteRequest().label("__name__", "up");
    for (int n = 0; n <= 1000; n++) {
      series.label("l" + n, "v");
    }
    series.sample(10, 1);
    FoundInRecord found =
        decode(new WriteRequest().message(1, series).series(UP, Map.of(10L, 1.0)));
    assertThat(found.points).containsExactly("up 1.0 10");
    assertThat(found.drops).singleElement().asString().endsWith("more than 1000 labels");
  }

  @Test
  void shouldKeepSeriesBeforeTheCut() {
    byte[] two = Arrays.copyOf(ONE, 2 * ONE.length - 3);
    System.arraycopy(ONE, 0, two, ONE.length, ONE.length - 3);
    FoundInRecord found = decode(two);
    assertThat(found.points).containsExactly(POINT);
    assertThat(found.drops)
        .singleElement()
        .asString()
        .startsWith("unreadable: WriteRequest ends at byte 83 of 159: ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"a\": 1}", "up 1 10", "?"})
  void shouldReportWhatIsNotAWriteRequest(String text) {
    assertThat(decode(text.getBytes(StandardCharsets.UTF_8)).drops)
        .containsExactly("unreadable: neither a WriteRequest nor a snappy block: '" + text + "'");
  }

  /** Claims of 4 GiB, 2 GiB and 33554433 bytes in a few bytes. */
  @ParameterizedTest
  @ValueSource(strings = {"ffffffff0f0000", "8080808008000000", "8180801000000000"})
  void shouldNotAllocateTheClaimedLengthOfASnappyBlock(String hex) {
    assertThat(decode(HexFormat.of().parseHex(hex)).drops)
        .singleElement()
        .asString()
        .matches("(unreadable|record-over-limit): snappy of .*");
  }

  @Test
  void shouldNotDecompressABomb() throws IOException {
    byte[] bomb = new byte[32 * 1024 * 1024 + 1];
    String drop = "bytes, more than 33554432 (record.max.bytes)";
    assertThat(decode(Snappy.compress(bomb)).drops)
        .containsExactly("record-over-limit: snappy of 33554433 " + drop);
    assertThat(decode(Zstd.compress(bomb)).drops)
        .containsExactly("record-over-limit: zstd of 33554433 " + drop);
  }

  @Test
  void shouldReportABrokenZstdFrame() {
    byte[] frame = Zstd.compress(ONE);
    assertThat(decode(Arrays.copyOf(frame, frame.length - 5)).drops)
        .singleElement()
        .asString()
        .startsWith("unreadable: zstd frame cannot be read: ");
  }

  /**
   * Made by {@code src/test/python/prometheus/write_request.py}, which also prints their points.
   */
  @Test
  void shouldReadRecordsOfThePythonClient() throws Exception {
    Path made = Path.of(getClass().getResource("points.txt").toURI());
    new WrittenByPython(made.getParent()).check();
  }

  @Test
  void shouldRecogniseItsOwn() throws IOException {
    assertThat(PrometheusDecoder.recognises(ONE)).isTrue();
    assertThat(PrometheusDecoder.recognises(Snappy.compress(ONE))).isTrue();
    assertThat(PrometheusDecoder.recognises(Zstd.compress(ONE))).isTrue();
    for (String other : new String[] {"", "up 1 10\n", "cpu usage=1 10\n", "[{\"values\":[1]}]"}) {
      assertThat(PrometheusDecoder.recognises(other.getBytes(StandardCharsets.UTF_8)))
          .as(other)
          .isFalse();
    }
    WriteRequest otlp =
        new WriteRequest().message(1, new WriteRequest().series(Map.of(), Map.of()));
    assertThat(PrometheusDecoder.recognises(otlp.toBytes())).isFalse();
  }

  /** Its first bytes claim that a snappy block of 32 MB follows. */
  @Test
  void shouldRecogniseARecordWithoutMuchMemory() throws IOException {
    byte[] claims = "\u00ff".repeat(20).getBytes(StandardCharsets.ISO_8859_1);
    claims[3] = 0x0e;
    assertThat(Snappy.uncompressedLength(claims)).isGreaterThan(29 << 20);
    byte[] line = "servers.web01.cpu.idle 98.09 1455320690".getBytes(StandardCharsets.UTF_8);
    for (byte[] record : new byte[][] {ONE, Snappy.compress(ONE), line, claims}) {
      PrometheusDecoder.recognises(record);
      ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      long before = thread.getCurrentThreadAllocatedBytes();
      for (int n = 0; n < 100; n++) {
        PrometheusDecoder.recognises(record);
      }
      assertThat((thread.getCurrentThreadAllocatedBytes() - before) / 100).isLessThan(8 << 10);
    }
  }
}
