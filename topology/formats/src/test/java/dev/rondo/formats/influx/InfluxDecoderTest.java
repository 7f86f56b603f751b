package dev.rondo.formats.influx;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.influxdb.client.domain.WritePrecision;
import com.influxdb.client.write.Point;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.Found;
import dev.rondo.formats.Naming;
import dev.rondo.formats.graphite.GraphiteDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InfluxDecoderTest {
  private static Found decode(String record) {
    return Found.in(record, new InfluxDecoder(new Naming(200, 10), TimeUnit.NANOSECONDS));
  }

  @Test
  void shouldEmitAPointForEachField() {
    assertThat(decode("cpu,host=tars,dc=ams idle=98.09,user=2i 1455320660004257758\n").points)
        .containsExactly(
            "cpu.idle;dc=ams;host=tars 98.09 1455320660004",
            "cpu.user;dc=ams;host=tars 2.0 1455320660004");
  }

  @Test
  void shouldOmitTheFieldNamedValue() {
    assertThat(decode("queue.depth,q=a value=7i 1000000").points)
        .containsExactly("queue.depth;q=a 7.0 1");
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1.0",
    "-1.25, -1.25",
    "+.5, 0.5",
    "5., 5.0",
    "1.2E-3, 0.0012",
    "0.30000000000000004, 0.30000000000000004",
    "9223372036854775807i, 9.223372036854776E18",
    "-42i, -42.0",
    "18446744073709551615u, 1.8446744073709552E19",
    "1e999, Infinity",
    "t, 1.0",
    "T, 1.0",
    "true, 1.0",
    "True, 1.0",
    "TRUE, 1.0",
    "f, 0.0",
    "F, 0.0",
    "false, 0.0",
    "False, 0.0",
    "FALSE, 0.0"
  })
  void shouldReadEachKindOfValue(String text, String value) {
    assertThat(decode("m f=" + text + " 2000000").points).containsExactly("m.f " + value + " 2");
  }

  @ParameterizedTest
  @CsvSource({"abc", "1f", "0x1p3", "-1u", "1.5i", "i", "tRUE", "nan", "1e", "--1", "1.2.3", "''"})
  void shouldDropOnlyTheFieldWithAnInvalidValue(String text) {
    Found found = decode("m a=1,f=" + text + ",b=2 1000000");
    assertThat(found.points).containsExactly("m.a 1.0 1", "m.b 2.0 1");
    assertThat(found.drops).containsExactly(DropReason.UNREADABLE);
    assertThat(found.details)
        .containsExactly("value '" + text + "' of field 'f' is not a number or boolean");
  }

  @Test
  void shouldCountEachTextAndKeepTheNumbersBesideIt() {
    Found found = decode("m a=1,s=\"x, y=2 \\\"z\\\" \\\\\",b=2,e=\"\" 1000000\nn a=3 1000000");
    assertThat(found.points).containsExactly("m.a 1.0 1", "m.b 2.0 1", "n.a 3.0 1");
    assertThat(found.drops).containsExactly(DropReason.TEXT_VALUE, DropReason.TEXT_VALUE);
    assertThat(found.details).containsExactly("m.s", "m.e");
  }

  @Test
  void shouldContinueAfterANewlineWithinText() {
    Found found = decode("m s=\"one\ntwo,x=1 2\n\",a=1 1000000\nn a=2 1000000");
    assertThat(found.points).containsExactly("m.a 1.0 1", "n.a 2.0 1");
    assertThat(found.drops).containsExactly(DropReason.TEXT_VALUE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          disk\\ usage\\,all used=1      | disk_usage,all.used
          m,path=/mnt/big\\ disk f=1     | m.f;path=/mnt/big disk
          m,a\\,b\\ c\\=d=e\\=f\\,g f=1     | m.f;a,b_c_d=e=f,g
          m,path=C:\\\\dir\\x f=1         | m.f;path=C:\\\\dir\\x
          m,q=\\"a\\",r="b" f=1          | m.f;q="a";r="b"
          m f\\ \\=\\,g=1                 | m.f_=,g
          a=b,c=d f=1                  | a=b.f;c=d
          größe,ort=köln f=1           | größe.f;ort=köln
          m,name=x,~=~y f=1            | m.f;_name=x;~=y
          """)
  void shouldUnescapeNames(String line, String ident) {
    assertThat(decode(line + " 1000000").points).containsExactly(ident + " 1.0 1");
  }

  @ParameterizedTest
  @CsvSource({
    "NANOSECONDS, 1455320660004257758, 1455320660004",
    "MICROSECONDS, 1455320660004257, 1455320660004",
    "MILLISECONDS, 1455320660004, 1455320660004",
    "SECONDS, 1455320660, 1455320660000",
    "NANOSECONDS, -1, -1",
    "NANOSECONDS, -1000001, -2",
    "SECONDS, -5, -5000",
    "NANOSECONDS, 0, 0",
    "NANOSECONDS, 9223372036854775807, 9223372036854"
  })
  void shouldReadTimesInTheUnitOfTheSource(TimeUnit unit, String time, long tMs) {
    assertThat(Found.in("m f=1 " + time, new InfluxDecoder(new Naming(200, 10), unit)).points)
        .containsExactly("m.f 1.0 " + tMs);
  }

  @Test
  void shouldUseTheTimeOfWritingWithoutATime() {
    assertThat(decode("m f=1\nm f=2  \r\nm f=3").points)
        .containsExactly(
            "m.f 1.0 " + Found.NOW_MS, "m.f 2.0 " + Found.NOW_MS, "m.f 3.0 " + Found.NOW_MS);
  }

  @Test
  void shouldSkipCommentsAndEmptyLines() {
    Found found = decode("# m f=1 \"\n\n \r\n  m  f=1   1000000  \r\n#\n\tn f=2 1000000\n#end");
    assertThat(found.points).containsExactly("m.f 1.0 1", "n.f 2.0 1");
    assertThat(found.drops).isEmpty();
    assertThat(found.pieces).containsExactly("m  f=1   1000000", "n f=2 1000000");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          m                  | no fields: 'm'
          m,a=b              | no fields: 'm,a=b'
          m f                | field that is not key=value: 'm f'
          m =1               | field that is not key=value: 'm =1'
          m f=1,             | field that is not key=value: 'm f=1,'
          ,a=b f=1           | no measurement: ',a=b f=1'
          m,a f=1            | tag that is not key=value: 'm,a f=1'
          m,=b f=1           | tag that is not key=value: 'm,=b f=1'
          m,a= f=1           | tag without a value: 'm,a= f=1'
          m,a=b=c f=1        | tag without a value: 'm,a=b=c f=1'
          m f=1 soon         | time 'soon' is not a 64-bit integer
          m f=1 1.5          | time '1.5' is not a 64-bit integer
          m f=1 9223372036854775808 | time '9223372036854775808' is not a 64-bit integer
          m f=1 1 2          | extra text after the time: 'm f=1 1 2'
          m f="a             | quote that does not end a value: 'm f="a'
          m f="a"b 1         | quote that does not end a value: 'm f="a"b 1'
          m f="a\\" 1         | quote that does not end a value: 'm f="a\\" 1'
          """)
  void shouldDropOnlyTheUnreadableLine(String line, String detail) {
    Found found = decode("x f=1 1000000\n" + line + "\ny f=2 1000000");
    assertThat(found.points).containsExactly("x.f 1.0 1", "y.f 2.0 1");
    assertThat(found.details).containsExactly(detail);
    assertThat(found.drops).containsExactly(DropReason.UNREADABLE);
    assertThat(found.pieces.get(1)).isEqualTo(line);
  }

  @Test
  void shouldDropEachFieldOfASeriesBeyondALimit() {
    Found found = decode("m," + "t=1,".repeat(3) + "l=" + "x".repeat(200) + " a=1,b=2 1\nn f=1 0");
    assertThat(found.drops).containsExactly(DropReason.NAME_TOO_LONG, DropReason.NAME_TOO_LONG);
    assertThat(found.points).containsExactly("n.f 1.0 0");
  }

  @Test
  void shouldMatchTheNamesOfTelegrafsGraphiteFormat() {
    Found influx = decodeAll(Found.golden(Found.class, "influx/telegraf.txt"));
    byte[] graphite = Found.golden(Found.class, "graphite/telegraf-tags-compatible.txt");
    Found expected =
        Found.in(graphite, new GraphiteDecoder(new Naming(1024, 64), TimeUnit.SECONDS));
    assertThat(Set.copyOf(influx.points))
        .hasSize(106)
        .contains(
            "disk.total;dc=us-east-1;device=none;fstype=tmpfs;host=tars;mode=rw;"
                + "path=/mnt/big disk, no=2 1048576.0 1795204990000")
        .isEqualTo(Set.copyOf(expected.points));
    assertThat(Set.copyOf(influx.details)).isEqualTo(Set.of("system.uptime_format"));
  }

  private static Found decodeAll(byte[] record) {
    return Found.in(record, new InfluxDecoder(new Naming(1024, 64), TimeUnit.NANOSECONDS));
  }

  @Test
  void shouldReadRecordsOfTheOfficialClient() {
    Instant time = Instant.parse("2016-02-12T23:44:20.004257758Z");
    Point point =
        Point.measurement("disk usage,all")
            .addTag("path", "/mnt/big disk, no=2")
            .addTag("ho st", "größe\nx")
            .addField("used", 42L)
            .addField("share", 0.1 + 0.2)
            .addField("tiny", 1e-300)
            .addField("is ok", true)
            .addField("note", "a \"b\", c=1 \\ \n m f=1")
            .time(time, WritePrecision.NS);
    Found found =
        decodeAll((point.toLineProtocol() + "\n").repeat(2).getBytes(StandardCharsets.UTF_8));
    String tags = ";ho_st=größe\\nx;path=/mnt/big disk, no=2 ";
    assertThat(found.points.stream().collect(toSet()))
        .containsExactlyInAnyOrder(
            "disk_usage,all.used" + tags + "42.0 " + time.toEpochMilli(),
            "disk_usage,all.share" + tags + "0.30000000000000004 " + time.toEpochMilli(),
            "disk_usage,all.tiny" + tags + "1.0E-300 " + time.toEpochMilli(),
            "disk_usage,all.is_ok" + tags + "1.0 " + time.toEpochMilli());
    assertThat(found.drops).containsExactly(DropReason.TEXT_VALUE, DropReason.TEXT_VALUE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          m f=1                      | true
          # hello\\nm,a=b s="x" 10     | true
          m f=1 10.5                 | false
          m f=x 10                   | false
          m                          | false
          a.b.c 1 10                 | false
          a;b=c 1 10                 | false
          PUTVAL a/b/c i=1 10:1      | false
          {"a": 1}                   | false
          {"a": "b=1"}               | false
          # hello                    | false
          ``                         | false
          """)
  void shouldRecogniseItsOwnLines(String record, boolean isInflux) {
    byte[] bytes = record.translateEscapes().getBytes(StandardCharsets.UTF_8);
    assertThat(InfluxDecoder.recognises(bytes)).isEqualTo(isInflux);
  }
}
