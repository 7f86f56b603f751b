package dev.rondo.formats.nativepoints;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.Naming;
import dev.rondo.formats.PointSink;
import dev.rondo.schemas.PointBatchWriter;
import dev.rondo.schemas.Topics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NativeDecoderTest {
  private static final int IDENT_MAX_BYTES = 40;
  private static final int IDENT_MAX_TAGS = 3;

  private final NativeDecoder decoder =
      new NativeDecoder(
          new Naming(IDENT_MAX_BYTES, IDENT_MAX_TAGS), IDENT_MAX_BYTES, IDENT_MAX_TAGS);

  private static final class Found implements PointSink {
    final List<String> points = new ArrayList<>();
    final List<DropReason> drops = new ArrayList<>();
    final List<String> details = new ArrayList<>();
    private final int length;

    Found(int length) {
      this.length = length;
    }

    @Override
    public void point(String ident, long tMs, double value, int from, int to) {
      assertWhole(from, to);
      points.add(ident + " " + tMs + " " + value);
    }

    @Override
    public void drop(DropReason reason, String detail, int from, int to) {
      assertWhole(from, to);
      drops.add(reason);
      details.add(detail);
    }

    private void assertWhole(int from, int to) {
      assertThat(List.of(from, to)).isEqualTo(List.of(0, length));
    }
  }

  private Found decode(byte[] record) {
    Found found = new Found(record.length);
    decoder.decode(record, 0, found);
    return found;
  }

  private static byte[] record(String... idents) {
    PointBatchWriter writer = new PointBatchWriter();
    for (String ident : idents) {
      writer.add(ident, 10, 1);
    }
    return writer.take();
  }

  private static byte[] golden(String name) throws IOException {
    try (InputStream file = Topics.class.getResourceAsStream("golden/" + name)) {
      return file.readAllBytes();
    }
  }

  @Test
  void shouldReadTheGoldenRecord() throws IOException {
    List<String> expected =
        new String(golden("point-batch.csv"), UTF_8)
            .lines()
            .filter(line -> !line.startsWith("#"))
            .skip(1)
            .map(line -> line.split(","))
            .map(cells -> cells[0] + " " + cells[1] + " " + Double.parseDouble(cells[2]))
            .toList();
    Found found = decode(golden("point-batch.bin"));
    assertThat(found.points).isEqualTo(expected).isNotEmpty();
    assertThat(found.drops).isEmpty();
  }

  /** Avro allows several blocks, with or without the length of each block in bytes. */
  @Test
  void shouldReadArraysInSeveralBlocks() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(PointBatchWriter.header());
    BinaryEncoder avro = EncoderFactory.get().directBinaryEncoder(out, null);
    avro.writeLong(1000);
    avro.writeLong(2);
    writePoint(avro, 0, 0, "a;x=y", 0);
    writePoint(avro, 1, 4, ".b", 5);
    avro.writeLong(-2);
    avro.writeLong(26);
    writePoint(avro, 3, 4, "c", 6);
    writePoint(avro, 1, 1, "", 6);
    avro.writeLong(0);
    assertThat(decode(out.toByteArray()).points)
        .containsExactly("a;x=y 1000 0.5", "a.b;x=y 1005 0.5", "a.bc;x=y 1006 0.5", "ay 1006 0.5");
  }

  private static void writePoint(BinaryEncoder avro, int head, int tail, String middle, long dt)
      throws IOException {
    avro.writeInt(head);
    avro.writeInt(tail);
    avro.writeBytes(middle.getBytes(UTF_8));
    avro.writeLong(dt);
    avro.writeDouble(0.5);
  }

  @ParameterizedTest
  @CsvSource({
    "cpu.user;dc=ams;host=a, cpu.user;dc=ams;host=a",
    "cpu.user;host=a;dc=ams, cpu.user;dc=ams;host=a",
    ".a..b., a.b",
    "a b, a_b",
    "m;a=1;a=2, m;a=2",
    "m;a=1;ab=2, m;a=1;ab=2",
    "m;ab=1;a=2, m;a=2;ab=1",
    "m;name=x, m;_name=x",
    "m;a=~x, m;a=x",
    "m;a!b=x, m;a_b=x",
    "m;a=, m",
    "'m;a=b c', 'm;a=b c'",
    "größe;ort=köln, größe;ort=köln"
  })
  void shouldWriteIdentsCanonically(String sent, String ident) {
    assertThat(decode(record(sent)).points).containsExactly(ident + " 10 1.0");
  }

  /** Idents that the fast check accepts are unchanged by the full naming. */
  @Property
  void shouldNotAcceptANonCanonicalIdent(
      @ForAll @Size(max = 8) List<@IntRange(max = 15) Integer> tokens) {
    String[] all = {
      "a", "b", ".", ";", "=", ";a=", ";ab=", ";b=", ";b=x", ";c=y", ";name=", "~", "!", "^", " ",
      "\u007f"
    };
    String ident = tokens.stream().map(n -> all[n]).collect(Collectors.joining());
    byte[] bytes = ident.getBytes(UTF_8);
    if (CanonicalIdent.is(bytes, bytes.length, IDENT_MAX_TAGS)) {
      String notAscii = "ä" + ident; // the fast check rejects anything but ASCII
      assertThat(decode(record(notAscii)).points).containsExactly(notAscii + " 10 1.0");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          m;dc                 | UNREADABLE    | tag 'dc' is not key=value
          m;=x                 | UNREADABLE    | tag '=x' is not key=value
          ;dc=x                | UNREADABLE    | no name in ''
          ...                  | UNREADABLE    | no name in '...'
          m;a=1;b=1;c=1;d=1    | TOO_MANY_TAGS | 4 tags, more than 3 (ident.max.tags): 'm'
          xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx | NAME_TOO_LONG | name of 41 bytes, more than 40 (ident.max.bytes): 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'
          """)
  void shouldDropABadIdentAndKeepItsNeighbours(String ident, DropReason reason, String detail) {
    Found found = decode(record("a.b", ident, "a.b", ident + "x", "c"));
    assertThat(found.points).contains("a.b 10 1.0", "c 10 1.0");
    assertThat(found.drops.get(0)).isEqualTo(reason);
    assertThat(found.details.get(0)).isEqualTo(detail);
  }

  @Test
  void shouldEmitNanAndInfinityUnchanged() {
    PointBatchWriter writer = new PointBatchWriter();
    writer.add("a", 10, Double.NaN);
    writer.add("a", 11, Double.NEGATIVE_INFINITY);
    assertThat(decode(writer.take()).points).containsExactly("a 10 NaN", "a 11 -Infinity");
  }

  @Test
  void shouldEmitNoPointOfATruncatedOrTooLongRecord() throws IOException {
    byte[] whole = golden("point-batch.bin");
    for (int length = 0; length < whole.length; length++) {
      Found found = decode(Arrays.copyOf(whole, length));
      assertThat(found.points).as("%d of %d bytes", length, whole.length).isEmpty();
      assertThat(found.drops).containsExactly(DropReason.UNREADABLE);
    }
    Found longer = decode(Arrays.copyOf(whole, whole.length + 1));
    assertThat(longer.points).isEmpty();
    assertThat(longer.details).containsExactly("1 bytes follow its points");
  }

  @Test
  void shouldEmitNothingIfAnIdentKeepsMoreThanThePreviousHad() throws IOException {
    assertThat(decode(points(2, 0, 0, 1, 5, 0, 1)).details)
        .containsExactly("5 bytes kept of the previous ident, of 1");
    assertThat(decode(points(2, 0, 0, 1, 1, 1, 1)).details)
        .containsExactly("1 bytes kept of the end of the previous ident, of 0");
    assertThat(decode(points(1, -1, 0, 1)).drops).containsExactly(DropReason.UNREADABLE);
    assertThat(decode(points(1, 0, -1, 1)).drops).containsExactly(DropReason.UNREADABLE);
    assertThat(decode(points(1, 0, 0, 1L << 40)).details.get(0))
        .contains("1099511627776 bytes of an");
    assertThat(decode(points(1, 0, 0, -1)).drops).containsExactly(DropReason.UNREADABLE);
    assertThat(decode(points(Long.MAX_VALUE, 0, 0, 1)).details)
        .containsExactly("ends within its points");
    assertThat(decode(points(Long.MIN_VALUE, 0, 0, 1)).drops)
        .containsExactly(DropReason.UNREADABLE);
  }

  /** Builds a record that claims this many points, each with this head, tail and middle length. */
  private static byte[] points(long count, long... headTailMiddle) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(PointBatchWriter.header());
    BinaryEncoder avro = EncoderFactory.get().directBinaryEncoder(out, null);
    avro.writeLong(0);
    avro.writeLong(count);
    for (int n = 0; n < headTailMiddle.length; n += 3) {
      avro.writeLong(headTailMiddle[n]);
      avro.writeLong(headTailMiddle[n + 1]);
      avro.writeLong(headTailMiddle[n + 2]);
      avro.writeFixed(new byte[] {'a'});
      avro.writeLong(0);
      avro.writeDouble(1);
    }
    avro.writeLong(0);
    return out.toByteArray();
  }

  /** Each point has fifteen bytes and would expand to an ident of a million. */
  @Test
  void shouldBoundTheExpansionOfAFewBytes() {
    PointBatchWriter writer = new PointBatchWriter();
    String ident = "x".repeat(1_000_000);
    for (int n = 0; n < 30; n++) {
      writer.add(ident, n, 1);
    }
    assertThat(decode(writer.take()).details.get(0))
        .startsWith("idents of 30000000 bytes together");
  }

  @Test
  void shouldRecogniseItsRecords() throws IOException {
    assertThat(NativeDecoder.recognises(record("a"))).isTrue();
    assertThat(NativeDecoder.recognises(golden("point-batch.bin"))).isTrue();
    assertThat(NativeDecoder.recognises(PointBatchWriter.header())).isFalse();
    assertThat(NativeDecoder.recognises(new byte[0])).isFalse();
    byte[] other = record("a");
    other[3]++;
    assertThat(NativeDecoder.recognises(other)).isFalse();
    assertThat(decode(other).details).containsExactly("does not begin like a PointBatch");
  }

  @Property
  void shouldAccountForAnyBytes(@ForAll byte[] bytes) {
    Found found = decode(bytes);
    assertThat(found.points).isEmpty();
    assertThat(found.drops).containsExactly(DropReason.UNREADABLE);
    byte[] record =
        ByteBuffer.allocate(10 + bytes.length).put(PointBatchWriter.header()).put(bytes).array();
    decode(record);
  }

  @Property
  void shouldAccountForAnyChangedByte(
      @ForAll @IntRange(min = 10, max = 150) int at, @ForAll byte changed) throws IOException {
    byte[] record = golden("point-batch.bin");
    record[Math.min(at, record.length - 1)] = changed;
    Found found = decode(record);
    assertThat(found.points.size() + found.drops.size()).isBetween(0, 20);
    assertThat(decode(golden("point-batch.bin")).points).as("it is not left confused").hasSize(7);
  }
}
