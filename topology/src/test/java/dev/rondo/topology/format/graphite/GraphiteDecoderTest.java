package dev.rondo.topology.format.graphite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.topology.drops.DropReason;
import dev.rondo.topology.format.Naming;
import dev.rondo.topology.format.PointSink;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GraphiteDecoderTest {
  private static final long NOW_MS = 1_700_000_000_500L;

  private static final class Found implements PointSink {
    final List<String> points = new ArrayList<>();
    final List<DropReason> drops = new ArrayList<>();
    final List<String> details = new ArrayList<>();
    long bytes;

    @Override
    public void point(String ident, long tMs, double value, int from, int to) {
      points.add(ident + " " + value + " " + tMs);
      bytes += to - from;
    }

    @Override
    public void drop(DropReason reason, String detail, int from, int to) {
      drops.add(reason);
      details.add(detail);
      bytes += to - from;
    }
  }

  private static Found decode(byte[] bytes) {
    Found found = new Found();
    new GraphiteDecoder(new Naming(40, 3), TimeUnit.SECONDS).decode(bytes, NOW_MS, found);
    return found;
  }

  private static Found decode(String text) {
    return decode(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void shouldReadManyLinesOfEitherEnding() {
    assertThat(decode("a.b 1 10\r\nc 2.5 11.25\n\n  d\t-3e2   12  ").points)
        .containsExactly("a.b 1.0 10000", "c 2.5 11250", "d -300.0 12000");
  }

  @ParameterizedTest
  @CsvSource({"-1", "N"})
  void shouldTakeTheTimeOfWritingForNow(String time) {
    assertThat(decode("a 1 " + time).points).containsExactly("a 1.0 " + NOW_MS);
  }

  @ParameterizedTest
  @CsvSource({
    "disk.used;host=a;dc=ams, disk.used;dc=ams;host=a",
    "m;a=1;a=2, m;a=2",
    "m;name=x;a=1, m;a=1",
    ".a..b., a.b",
    "größe;ort=köln, größe;ort=köln"
  })
  void shouldWriteIdentsCanonically(String path, String ident) {
    assertThat(decode(path + " 1 10").points).containsExactly(ident + " 1.0 10000");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          just.a.name      | fields: 1, not path value time: 'just.a.name'
          a 1              | fields: 2, not path value time: 'a 1'
          a 1 10 x         | fields: 4, not path value time: 'a 1 10 x'
          a one 10         | value 'one' is not a number
          a 0x1p3 10       | value '0x1p3' is not a number
          a 1d 10          | value '1d' is not a number
          a 1 later        | time 'later' is not a number
          a 1 -5           | time -5 is not after 1970
          a;dc= 1 10       | tag 'dc=' is not key=value
          a;dc 1 10        | tag 'dc' is not key=value
          a;d!c=x 1 10     | tag key 'd!c' holds '!' or '^'
          a;dc=~x 1 10     | tag value '~x' begins with '~'
          ;dc=x 1 10       | no name in ''
          ... 1 10         | no name in '...'
          """)
  void shouldSayWhyALineCannotBeRead(String line, String detail) {
    Found found = decode(line);
    assertThat(found.details).containsExactly(detail);
    assertThat(found.drops).containsExactly(DropReason.UNREADABLE);
  }

  @Test
  void shouldDropTooLongNamesAndKeepTheNeighbours() {
    Found found = decode("a 1 10\n" + "x".repeat(41) + " 1 10\n\u0001 1 10\nb 2 10");
    assertThat(found.points).containsExactly("a 1.0 10000", "b 2.0 10000");
    assertThat(found.drops).containsExactly(DropReason.NAME_TOO_LONG, DropReason.UNREADABLE);
  }

  @Test
  void shouldDropSeriesOfTooManyTagsAndKeepTheNeighbours() {
    Found found = decode("a;b=1;c=2;d=3 1 10\na;b=1;c=2;d=3;e=4 1 10\nb 2 10");
    assertThat(found.points).containsExactly("a;b=1;c=2;d=3 1.0 10000", "b 2.0 10000");
    assertThat(found.drops).containsExactly(DropReason.TOO_MANY_TAGS);
    assertThat(found.details).containsExactly("4 tags, more than 3 (ident.max.tags): 'a'");
  }

  @Test
  void shouldPassNanAndInfinityOnAsTheyAre() {
    assertThat(decode("a nan 10\na -Inf 11\na +infinity 12").points)
        .containsExactly("a NaN 10000", "a -Infinity 11000", "a Infinity 12000");
  }

  @Test
  void shouldNotTakeBytesThatAreNotUtf8() {
    assertThat(decode(new byte[] {(byte) 0xc3, 0x28, ' ', '1', ' ', '9'}).details)
        .containsExactly("not UTF-8: '�('");
  }

  @Property
  void shouldAccountForAnyBytes(@ForAll byte[] bytes) {
    Found found = decode(bytes);
    assertThat(found.bytes).isLessThanOrEqualTo(bytes.length);
  }
}
