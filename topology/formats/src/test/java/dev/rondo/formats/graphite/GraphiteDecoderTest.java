package dev.rondo.formats.graphite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.Found;
import dev.rondo.formats.Naming;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GraphiteDecoderTest {
  private static Found decode(String text) {
    return Found.in(text, new GraphiteDecoder(new Naming(40, 3), TimeUnit.SECONDS));
  }

  @Test
  void shouldReadManyLinesOfEitherEnding() {
    assertThat(decode("a.b 1 10\r\nc 2.5 11.25\n\n  d\t-3e2   12  ").points)
        .containsExactly("a.b 1.0 10000", "c 2.5 11250", "d -300.0 12000");
  }

  @ParameterizedTest
  @CsvSource({"-1", "N"})
  void shouldUseTheTimeOfWritingForNow(String time) {
    assertThat(decode("a 1 " + time).points).containsExactly("a 1.0 " + Found.NOW_MS);
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
  void shouldReportWhyALineIsUnreadable(String line, String detail) {
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
  void shouldEmitNanAndInfinityUnchanged() {
    assertThat(decode("a nan 10\na -Inf 11\na +infinity 12").points)
        .containsExactly("a NaN 10000", "a -Infinity 11000", "a Infinity 12000");
  }

  @Test
  void shouldRejectBytesThatAreNotUtf8() {
    byte[] record = {(byte) 0xc3, 0x28, ' ', '1', ' ', '9'};
    assertThat(Found.in(record, new GraphiteDecoder(new Naming(40, 3), TimeUnit.SECONDS)).details)
        .containsExactly("not UTF-8: '�('");
  }

  @Test
  void shouldGiveEachLineItsOwnTags() {
    assertThat(
            decode("a;k=v 1 1\nb;k=v 2 2\nc 3 3\nd;k=w 4 4\ne;a=b;k= 5 5\nf;k=w 6 6\ng 7 7").points)
        .containsExactly(
            "a;k=v 1.0 1000",
            "b;k=v 2.0 2000",
            "c 3.0 3000",
            "d;k=w 4.0 4000",
            "f;k=w 6.0 6000",
            "g 7.0 7000");
  }

  @Test
  void shouldKeepWhiteSpaceInTags() {
    assertThat(decode("m;p=big disk;q=1 2 5 10\r\n").points)
        .containsExactly("m;p=big disk;q=1 2 5.0 10000");
  }

  @ParameterizedTest
  @CsvSource({
    "SECONDS, 1455320690.123, 1455320690123",
    "MILLISECONDS, 1455320690123, 1455320690123",
    "MICROSECONDS, 1455320690123499, 1455320690123"
  })
  void shouldReadTimesInTheUnitOfTheSource(TimeUnit unit, String time, long tMs) {
    assertThat(Found.in("a 1 " + time, new GraphiteDecoder(new Naming(40, 3), unit)).points)
        .containsExactly("a 1.0 " + tMs);
  }

  @ParameterizedTest
  @CsvSource({
    "graphite/telegraf.txt, 106",
    "graphite/telegraf-tags.txt, 106",
    "graphite/telegraf-tags-compatible.txt, 106",
    "putval/graphite.txt, 34"
  })
  void shouldReadRecordsOfRealSenders(String file, int points) {
    byte[] record = Found.golden(Found.class, file);
    Found found = Found.in(record, new GraphiteDecoder(new Naming(1024, 64), TimeUnit.SECONDS));
    assertThat(found.details).isEmpty();
    assertThat(found.points).hasSize(points);
  }
}
