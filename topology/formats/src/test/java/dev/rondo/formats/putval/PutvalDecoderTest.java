package dev.rondo.formats.putval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.Found;
import dev.rondo.formats.Naming;
import dev.rondo.formats.graphite.GraphiteDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PutvalDecoderTest {
  private static Found decode(byte[] record) {
    return Found.in(record, new PutvalDecoder(new Naming(200, 10), TimeUnit.SECONDS));
  }

  private static Found decode(String record) {
    return decode(record.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void shouldReadManyLinesOfEitherEnding() {
    assertThat(
            decode(
                    "PUTVAL web01/cpu-0/cpu-idle interval=10.000 1455320690.123:98.09\r\n\n"
                        + "putval web01/up/gauge 11:1e2")
                .points)
        .containsExactly("web01.cpu-0.cpu-idle 98.09 1455320690123", "web01.up.gauge 100.0 11000");
  }

  @Test
  void shouldReadManyValueListsPerLineAndUseTheTimeOfWritingForN() {
    assertThat(decode("PUTVAL a/b/c interval=10 meta:x=\"y z\" 10:1 20:2 N:3").points)
        .containsExactly("a.b.c 1.0 10000", "a.b.c 2.0 20000", "a.b.c 3.0 " + Found.NOW_MS);
  }

  @Test
  void shouldNameDataSourcesOfKnownTypesAndNumberOthers() {
    assertThat(
            decode(
                    "PUTVAL a/load/load 10:1:2:3\nPUTVAL a/b/own-x 10:4:5\n"
                        + "PUTVAL a/load/load 10:6:7")
                .points)
        .containsExactly(
            "a.load.load.shortterm 1.0 10000",
            "a.load.load.midterm 2.0 10000",
            "a.load.load.longterm 3.0 10000",
            "a.b.own-x.0 4.0 10000",
            "a.b.own-x.1 5.0 10000",
            "a.load.load.0 6.0 10000",
            "a.load.load.1 7.0 10000");
  }

  @Test
  void shouldReadQuotedIdentifiers() {
    assertThat(decode("PUTVAL \"a.b/df-big disk/gauge-\\\"x\\\" \\\\y\" interval=10 10:1").points)
        .containsExactly("a_b.df-big_disk.gauge-_x___y 1.0 10000");
  }

  @Test
  void shouldCountUnknownValuesAndKeepTheirNeighbours() {
    Found found = decode("PUTVAL a/if/if_octets 10:U:2\nPUTVAL a/ping/ping 10:nan");
    assertThat(found.points).containsExactly("a.if.if_octets.tx 2.0 10000");
    assertThat(found.drops).containsExactly(DropReason.NO_VALUE, DropReason.NO_VALUE);
    assertThat(found.details).containsExactly("a.if.if_octets.rx", "a.ping.ping");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          GETVAL a/b/c             | not PUTVAL identifier [option=…] time:value[:value…]
          PUTVAL                   | not PUTVAL identifier [option=…] time:value[:value…]
          PUTVAL a/b interval=1 1:2 | 'a/b' is not host/plugin-instance/type-instance
          PUTVAL a//c 1:2          | 'a//c' is not host/plugin-instance/type-instance
          PUTVAL a/b/-c 1:2        | 'a/b/-c' is not host/plugin-instance/type-instance
          PUTVAL a/b/c interval=1  | no values: 'PUTVAL a/b/c interval=1'
          PUTVAL a/b/c x:2         | time 'x' is not a number after 1970
          PUTVAL a/b/c -1:2        | time '-1' is not a number after 1970
          PUTVAL a/b/c 10          | no value after time '10'
          PUTVAL a/b/c 10:         | value '' is not a number
          PUTVAL a/b/c 10:x        | value 'x' is not a number
          PUTVAL "a/b/c 10:1       | unclosed quote: '"a/b/c 10:1'
          """)
  void shouldDropOnlyUnreadableParts(String line, String detail) {
    Found found = decode("PUTVAL x/y/z 10:1\n" + line + "\nPUTVAL x/y/z 20:2");
    assertThat(found.points).containsExactly("x.y.z 1.0 10000", "x.y.z 2.0 20000");
    assertThat(found.details).containsExactly(detail);
    assertThat(found.drops).containsExactly(DropReason.UNREADABLE);
    assertThat(found.pieces.get(1)).isEqualTo(line);
  }

  @Test
  void shouldMatchTheGraphiteNamesOfARealCollectd() {
    byte[] record = Found.golden(PutvalDecoderTest.class, "putval.txt");
    Found graphite =
        Found.in(
            Found.golden(PutvalDecoderTest.class, "graphite.txt"),
            new GraphiteDecoder(new Naming(200, 10), TimeUnit.SECONDS));
    Found putval = decode(record);
    assertThat(identsAndValues(putval.points))
        .hasSize(33)
        .isEqualTo(
            identsAndValues(graphite.points).stream()
                .filter(point -> !point.endsWith(" NaN"))
                .toList());
    assertThat(putval.details).containsExactly("web.ping.ping-8_8_8_8");
    assertThat(PutvalDecoder.recognises(record)).isTrue();
  }

  /** Without the time, which Graphite has in whole seconds. */
  private static List<String> identsAndValues(List<String> points) {
    return points.stream().map(point -> point.substring(0, point.lastIndexOf(' '))).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          PUTVAL a/b/c interval=1 10:1 | true
          PUTVAL "a/b b/c" 10:1        | true
          PUTVAL a/b 10:1              | false
          PUTVAL a/b/c                 | false
          PUTVAL 1 10                  | false
          a.b 1 10                     | false
          [{"values": [1]}]            | false
          ``                           | false
          """)
  void shouldRecogniseItsOwnLines(String record, boolean isPutval) {
    assertThat(PutvalDecoder.recognises(record.getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(isPutval);
  }
}
