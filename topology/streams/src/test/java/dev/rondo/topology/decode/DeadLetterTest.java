package dev.rondo.topology.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.DropReason;
import dev.rondo.schemas.Topics;
import dev.rondo.schemas.deadletters.DeadLetterHeader;
import dev.rondo.topology.drops.RecordId;
import java.util.BitSet;
import java.util.stream.IntStream;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;

class DeadLetterTest {
  private static final String LONGEST_TOPIC = "t".repeat(249);

  private final RecordHeaders headers = new RecordHeaders();
  private final RecordPieces pieces = new RecordPieces();

  /** The dead letter of a record with this key, these headers and a value of {@code valueBytes}. */
  private Record<byte[], byte[]> deadLetter(byte[] key, int valueBytes) {
    DeadLetter deadLetter = new DeadLetter(DropReason.UNREADABLE, "why");
    byte[] value = new byte[valueBytes];
    pieces.add(0, value.length);
    deadLetter.add(value, 0, value.length, pieces);
    return deadLetter.of(new Record<>(key, value, 7, headers), id(), pieces);
  }

  private static RecordId id() {
    return new RecordId(LONGEST_TOPIC, 1, 2);
  }

  private static String header(Record<byte[], byte[]> deadLetter, String name) {
    Header header = deadLetter.headers().lastHeader(name);
    return header == null ? null : new String(header.value(), UTF_8);
  }

  @Test
  void shouldKeepKeyAndHeadersThatJustFitAndStayFarBelowTheLargestRecord() {
    byte[] key = new byte[64 * 1024];
    headers.add("trace", new byte[64 * 1024 - "trace".length() - 8]);
    Record<byte[], byte[]> deadLetter = deadLetter(key, 20 * 1024 * 1024);
    assertThat(deadLetter.key()).isSameAs(key);
    assertThat(header(deadLetter, "trace")).isNotNull();
    assertThat(header(deadLetter, "rondo.key.bytes")).isNull();
    assertThat(header(deadLetter, "rondo.headers.bytes")).isNull();
    assertThat(bytesOf(deadLetter))
        .isGreaterThan(2_200_000)
        .isLessThan(Topics.MAX_RECORD_BYTES * 2L / 3);
  }

  private static long bytesOf(Record<byte[], byte[]> deadLetter) {
    long sum = deadLetter.key().length;
    sum += deadLetter.value().length;
    for (Header header : deadLetter.headers()) {
      sum += header.key().length() + header.value().length + 8;
    }
    return sum;
  }

  @Test
  void shouldOmitAKeyOneByteLonger() {
    Record<byte[], byte[]> deadLetter = deadLetter(new byte[64 * 1024 + 1], 3);
    assertThat(deadLetter.key()).isNull();
    assertThat(header(deadLetter, "rondo.key.bytes")).isEqualTo("65537");
    assertThat(deadLetter.value()).hasSize(3);
  }

  @Test
  void shouldOmitSourceHeadersOneByteLonger() {
    headers.add("trace", new byte[64 * 1024 - "trace".length() - 7]);
    Record<byte[], byte[]> deadLetter = deadLetter("k".getBytes(UTF_8), 3);
    assertThat(header(deadLetter, "trace")).isNull();
    assertThat(header(deadLetter, "rondo.headers.bytes")).isEqualTo("65537");
    assertThat(header(deadLetter, "rondo.topic")).isEqualTo(LONGEST_TOPIC);
    assertThat(deadLetter.key()).isEqualTo("k".getBytes(UTF_8));
  }

  @Test
  void shouldOmitVeryManyEmptyHeaders() {
    for (int n = 0; n < 10_000; n++) {
      headers.add("", null);
    }
    Record<byte[], byte[]> deadLetter = deadLetter(null, 3);
    assertThat(header(deadLetter, "rondo.headers.bytes")).isEqualTo("80000");
    assertThat(deadLetter.headers().toArray()).hasSize(9);
  }

  @Test
  void shouldNotChangeTheHeadersOfItsRecord() {
    headers.add("trace", new byte[1]);
    Headers before = new RecordHeaders(headers);
    Record<byte[], byte[]> deadLetter = deadLetter(null, 3);
    assertThat(deadLetter.headers().lastHeader("trace")).isNotNull();
    assertThat(headers).isEqualTo(before);
  }

  /** The dead letter of these pieces of {@code record}, each from..to. */
  private Record<byte[], byte[]> letterOf(byte[] record, int... bounds) {
    pieces.clear();
    DeadLetter deadLetter = new DeadLetter(DropReason.UNREADABLE, "why");
    for (int b = 0; b < bounds.length; b += 2) {
      pieces.add(bounds[b], bounds[b + 1]);
      deadLetter.add(record, bounds[b], bounds[b + 1], pieces);
    }
    return deadLetter.of(new Record<>(null, record, 7, headers), id(), pieces);
  }

  private static String text(Record<byte[], byte[]> deadLetter) {
    return new String(deadLetter.value(), UTF_8)
        + " "
        + header(deadLetter, "rondo.count")
        + " "
        + header(deadLetter, "rondo.bytes");
  }

  @Test
  void shouldKeepOnePiecePerLine() {
    byte[] record = "one two three".getBytes(UTF_8);
    assertThat(text(letterOf(record, 0, 3, 8, 13))).isEqualTo("one\nthree 2 9");
    assertThat(text(letterOf(record, 4, 4, 8, 13))).isEqualTo("\nthree 2 6");
  }

  @Test
  void shouldKeepAPieceOnceIfAllItsPointsAreRejected() {
    byte[] record = "one two three".getBytes(UTF_8);
    assertThat(text(letterOf(record, 0, 3, 0, 3, 8, 13, 8, 13))).isEqualTo("one\nthree 4 9");
  }

  @Test
  void shouldBeTheRecordOnceItIsRejectedAsAWhole() {
    byte[] record = "a\nb\n".getBytes(UTF_8);
    assertThat(text(letterOf(record, 0, 4, 0, 4, 0, 4))).isEqualTo("a\nb\n 3 4");
    assertThat(text(letterOf(record, 0, 1, 0, 4, 2, 3))).isEqualTo("a\nb\n 3 4");
  }

  @Test
  void shouldHoldABigRecordOfManyBadPointsOnce() {
    byte[] record = new byte[Topics.MAX_RECORD_BYTES];
    DeadLetter deadLetter = new DeadLetter(DropReason.UNREADABLE, "why");
    for (int point = 0; point < 1_000_000; point++) {
      pieces.add(0, record.length);
      deadLetter.add(record, 0, record.length, pieces);
    }
    Record<byte[], byte[]> sent =
        deadLetter.of(new Record<>(null, record, 7, headers), id(), pieces);
    assertThat(sent.value()).hasSize(Topics.MAX_RECORD_BYTES / 2);
    assertThat(header(sent, "rondo.count")).isEqualTo("1000000");
    assertThat(header(sent, "rondo.bytes")).isEqualTo(Integer.toString(record.length));
  }

  /** Adds the content of the bytes from..to: {@code -} is rejected for this reason. */
  private void add(DeadLetter deadLetter, byte[] record, int from, int to, String verdicts) {
    verdicts
        .chars()
        .forEach(
            verdict -> {
              pieces.add(from, to);
              if (verdict == '-') {
                deadLetter.add(record, from, to, pieces);
              }
            });
  }

  private BitSet skipped(DeadLetter deadLetter, byte[] record, int size) {
    Record<byte[], byte[]> sent =
        deadLetter.of(new Record<>(null, record, 7, headers), id(), pieces);
    return Skipped.isIn(sent.headers()) ? Skipped.of(sent.headers(), size) : new BitSet();
  }

  private static BitSet numbers(int... numbers) {
    return IntStream.of(numbers).collect(BitSet::new, BitSet::set, BitSet::or);
  }

  @Test
  void shouldSkipOtherContentOfRejectedPieces() {
    byte[] record = new byte[10];
    DeadLetter deadLetter = new DeadLetter(DropReason.UNREADABLE, "why");
    add(deadLetter, record, 0, 2, "xx");
    add(deadLetter, record, 2, 4, "x-x");
    add(deadLetter, record, 4, 6, "x");
    add(deadLetter, record, 6, 8, "--x");
    assertThat(skipped(deadLetter, record, 6)).isEqualTo(numbers(0, 2, 5));
    assertThat(skipped(deadLetter, record, 7))
        .as("other settings: the numbers are unknown")
        .isEqualTo(numbers());
  }

  @Test
  void shouldSkipTheContentBeforeARejectedRest() {
    byte[] record = new byte[10];
    DeadLetter deadLetter = new DeadLetter(DropReason.RECORD_OVER_LIMIT, "why");
    add(deadLetter, record, 0, 2, "xx");
    add(deadLetter, record, 0, 10, "-");
    headers.add(DeadLetterHeader.SKIP, new byte[100_000]);
    assertThat(skipped(deadLetter, record, 3)).isEqualTo(numbers(0, 1));
    assertThat(skipped(deadLetter, record, 1000)).isEqualTo(numbers(0, 1));
    assertThat(skipped(deadLetter, record, 1)).as("such as a drop for all").isEqualTo(numbers());
  }

  @Test
  void shouldSkipNothingOfARecordRejectedAsAWhole() {
    byte[] record = new byte[10];
    DeadLetter deadLetter = new DeadLetter(DropReason.UNKNOWN_SCHEMA, "why");
    add(deadLetter, record, 0, 10, "-");
    headers.add(DeadLetterHeader.SKIP, new byte[] {7});
    assertThat(skipped(deadLetter, record, 1000)).isEqualTo(numbers());
    for (byte[] bytes : new byte[][] {null, {}, {0}, {1}}) {
      Headers odd = new RecordHeaders().add(DeadLetterHeader.SKIP, bytes);
      assertThat(Skipped.of(odd, 2)).isEqualTo(numbers());
    }
  }

  @Test
  void shouldHoldTheTimestampOfItsRecord() {
    assertThat(header(deadLetter(null, 3), "rondo.timestamp")).isEqualTo("7");
  }
}
