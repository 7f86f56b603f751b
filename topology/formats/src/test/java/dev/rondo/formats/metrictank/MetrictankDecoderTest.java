package dev.rondo.formats.metrictank;

import static dev.rondo.formats.metrictank.Messages.array;
import static dev.rondo.formats.metrictank.Messages.joined;
import static dev.rondo.formats.metrictank.Messages.json;
import static dev.rondo.formats.metrictank.Messages.packed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.Definitions;
import dev.rondo.formats.FoundInRecord;
import dev.rondo.formats.Naming;
import dev.rondo.formats.metrictank.Messages.Sent;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetrictankDecoderTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final Sent IDLE = new Sent("servers.web01.cpu.idle", List.of("dc=ams"));
  private static final int TIME_S = 1_455_320_690;
  private static final String POINT = "servers.web01.cpu.idle;dc=ams 98.09 1455320690000";

  /** MetricData of {@link #IDLE}; the time is a uint32 where Go writes an int32. */
  private static final byte[] DATA =
      HEX.parseHex(
          "89a24964d922312e3862383465316265363638646434373461303161323262373264333763333362"
              + "a54f7267496401a44e616d65b6736572766572732e77656230312e6370752e69646c65a8496e7465"
              + "7276616c0aa556616c7565cb405885c28f5c28f6a4556e6974a7756e6b6e6f776ea454696d65ce56"
              + "be6e72a54d74797065a56761756765a45461677391a664633d616d73");

  private static final byte[] METRIC_POINT =
      HEX.parseHex("028b84e1be668dd474a01a22b72d37c33bf6285c8fc2855840726ebe5601000000");

  private final KnownIds known = new KnownIds();
  private final MetrictankDecoder decoder = new MetrictankDecoder(new Naming(200, 5), known);

  private FoundInRecord decode(byte[] record) {
    return FoundInRecord.by(decoder, record);
  }

  @Test
  void shouldReadMetricData() {
    FoundInRecord found = decode(DATA);
    assertThat(found.points).containsExactly(POINT);
    assertThat(found.ranges).containsExactly("0.." + DATA.length);
  }

  /** md5 of name, unit, type, interval and tags, each ended by a zero byte but the last. */
  @Test
  void shouldMatchTheIdDerivedFromTheSeries() {
    assertThat(HEX.formatHex(IDLE.id())).isEqualTo("8b84e1be668dd474a01a22b72d37c33b");
    assertThat(new String(DATA, StandardCharsets.ISO_8859_1))
        .contains("1." + HEX.formatHex(IDLE.id()));
    assertThat(Arrays.copyOfRange(METRIC_POINT, 1, 17)).isEqualTo(IDLE.id());
  }

  @Test
  void shouldReadPointsOfAKnownId() {
    decode(DATA);
    FoundInRecord found = decode(METRIC_POINT);
    assertThat(found.points).containsExactly(POINT);
    assertThat(found.ranges).containsExactly("0..33");
    assertThat(METRIC_POINT).isEqualTo(IDLE.point(98.09, TIME_S));
    assertThat(decode(IDLE.pointWithoutOrganisation(98.09, TIME_S)).points).containsExactly(POINT);
  }

  @Test
  void shouldReadATimeAfter2038() {
    decode(DATA);
    assertThat(decode(IDLE.point(1, (int) 4_000_000_000L)).points)
        .containsExactly("servers.web01.cpu.idle;dc=ams 1.0 4000000000000");
  }

  @Test
  void shouldDropPointsOfAnUnknownId() {
    assertThat(decode(METRIC_POINT).drops)
        .containsExactly(
            "unknown-id: id 8b84e1be668dd474a01a22b72d37c33b: no MetricData with this id has arrived on this"
                + " partition");
  }

  @Test
  void shouldNameTheSettingIfIdsAreNotKept() {
    MetrictankDecoder forgetful = new MetrictankDecoder(new Naming(200, 5), Definitions.NONE);
    assertThat(FoundInRecord.by(forgetful, DATA).points).containsExactly(POINT);
    assertThat(FoundInRecord.by(forgetful, METRIC_POINT).drops)
        .containsExactly(
            "unknown-id: id 8b84e1be668dd474a01a22b72d37c33b: ids are only resolved with format:"
                + " metrictank");
  }

  @Test
  void shouldReadSeveralPoints() {
    Sent other = new Sent("b", List.of());
    decode(DATA);
    byte[] points =
        joined(new byte[] {5, 3}, IDLE.body(1, 10), other.body(2, 20), IDLE.body(3, 30));
    FoundInRecord found = decode(points);
    assertThat(found.points)
        .containsExactly(
            "servers.web01.cpu.idle;dc=ams 1.0 10000", "servers.web01.cpu.idle;dc=ams 3.0 30000");
    assertThat(found.drops).singleElement().asString().startsWith("unknown-id: ");
    assertThat(found.ranges).containsOnly("0..86");

    byte[] withOrganisation = new byte[] {9, 0, 0, 0};
    assertThat(decode(joined(new byte[] {5, 2}, IDLE.body(1, 10), withOrganisation)).points)
        .containsExactly("servers.web01.cpu.idle;dc=ams 1.0 10000");
  }

  @ParameterizedTest
  @CsvSource({"02, 0", "03, 0", "05, 0", "0502, 1", "0504, 1", "050300, 1", "02aa, 1"})
  void shouldReportBytesThatAreNotAPoint(String hex, int bytes) {
    assertThat(decode(HEX.parseHex(hex)).drops).allMatch(drop -> drop.startsWith("unreadable: "));
    assertThat(decode(HEX.parseHex(hex)).drops).hasSizeLessThanOrEqualTo(1);
  }

  @Test
  void shouldKeepThePointsBeforeACut() {
    decode(DATA);
    FoundInRecord found = decode(joined(METRIC_POINT, new byte[3]));
    assertThat(found.points).containsExactly(POINT);
    assertThat(found.drops).containsExactly("unreadable: 3 bytes that are not a MetricPoint");
  }

  @Test
  void shouldUseTheLatestDefinitionOfAnId() {
    decode(DATA);
    byte[] renamed = DATA.clone();
    renamed[renamed.length - 1] = 'x';
    decode(renamed);
    assertThat(decode(METRIC_POINT).points)
        .containsExactly("servers.web01.cpu.idle;dc=amx 98.09 1455320690000");
    assertThat(known.size()).isEqualTo(1);
  }

  /** Any order, other letter case, other widths, unknown fields. */
  @Test
  void shouldReadMetricDataOfOtherWriters() {
    byte[] record =
        packed(
            to -> {
              to.packMapHeader(7);
              to.packString("tags").packNil();
              to.packString("a_field_that_nobody_knows").packMapHeader(1).packInt(1).packNil();
              to.packInt(7).packString("a key that is no text");
              to.packString("time").packLong(TIME_S);
              to.packString("mtype").packString("gauge");
              to.packString("value").packInt(98);
              to.packString("name").packString("a.b");
            });
    assertThat(decode(record).points).containsExactly("a.b 98.0 1455320690000");
    assertThat(known.size()).as("it has no id").isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "1.8b84", "1.8b84e1be668dd474a01a22b72d37c33x"})
  void shouldReadMetricDataWithAnInvalidId(String id) {
    byte[] record =
        packed(
            to -> {
              to.packMapHeader(4);
              to.packString("Id").packString(id);
              to.packString("Name").packString("a");
              to.packString("Time").packFloat(10.5f);
              to.packString("Value").packBigInteger(java.math.BigInteger.ONE.shiftLeft(63));
            });
    assertThat(decode(record).points).containsExactly("a 9.223372036854776E18 10500");
    assertThat(known.size()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          82a556616c756501a454696d6501           | MetricData without Name
          82a44e616d65a161a454696d6501           | MetricData without Value: 'a'
          82a44e616d65a161a556616c756501         | MetricData without Time: 'a'
          83a44e616d65a161a556616c7565a131a454696d6501 | MetricData without Value: 'a'
          83a44e616d65a161a556616c756501a454696d6500   | time 0 of 'a' is not after 1970
          84a44e616d65a161a556616c756501a454696d6501a45461677391a162 | tag 'b' is not key=value
          84a44e616d65a161a556616c756501a454696d6501a4546167739101   | tag '' is not key=value
          """)
  void shouldReportMissingFieldsOfMetricData(String hex, String detail) {
    FoundInRecord found = decode(HEX.parseHex(hex));
    assertThat(found.drops).containsExactly("unreadable: " + detail);
    assertThat(found.points).isEmpty();
  }

  /** Consecutive elements are no valid record, so a dead letter keeps the whole record. */
  @Test
  void shouldReadAnArrayWithTheBytesOfTheRecord() {
    byte[] bad = HEX.parseHex("82a556616c756501a454696d6501");
    FoundInRecord found = decode(array(DATA, bad, DATA));
    assertThat(found.points).containsExactly(POINT, POINT);
    assertThat(found.drops).containsExactly("unreadable: MetricData without Name");
    assertThat(found.ranges).containsOnly("0..320");
    assertThat(decode(METRIC_POINT).points).containsExactly(POINT);
  }

  @Test
  void shouldKeepTheElementsBeforeACut() {
    byte[] record = array(DATA, DATA);
    FoundInRecord found = decode(Arrays.copyOf(record, record.length - 1));
    assertThat(found.points).containsExactly(POINT);
    assertThat(found.drops)
        .singleElement()
        .asString()
        .startsWith("unreadable: msgpack of MetricData, byte 158: ");
    assertThat(found.ranges).containsOnly("0..305");
  }

  @Test
  void shouldReportBytesAfterTheEnd() {
    FoundInRecord found = decode(joined(DATA, new byte[2]));
    assertThat(found.points).containsExactly(POINT);
    assertThat(found.drops)
        .containsExactly("unreadable: msgpack of MetricData, byte 148: 2 extra bytes");
  }

  @Test
  void shouldReadAJsonArray() {
    String id = "1." + HEX.formatHex(IDLE.id());
    FoundInRecord found =
        decode(
            json(
                """
                [{"id":"%s","org_id":1,"name":"servers.web01.cpu.idle","metric":"x","interval":10,
                  "value":98.09,"unit":"unknown","time":1455320690,"mtype":"gauge","tags":["dc=ams"]},
                 {"name":"b","value":1e2,"time":10,"tags":null,"more":{"deep":[1]}},
                 7, {"name":"c"},
                 {"name":"d","value":-1,"time":20,"tags":[["x"]]},
                 {"name":"e","value":-1,"time":20,"tags":[]}]
                """
                    .formatted(id)));
    assertThat(found.points).containsExactly(POINT, "b 100.0 10000", "e -1.0 20000");
    assertThat(found.drops)
        .containsExactly(
            "unreadable: MetricData without Name",
            "unreadable: MetricData without Time: 'c'",
            "unreadable: tag '' is not key=value");
    assertThat(decode(METRIC_POINT).points).containsExactly(POINT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{}", "[{\"name\":\"a\",\"value\":1,\"time\":1}", "[{", "nope"})
  void shouldReportAMalformedJsonArray(String text) {
    FoundInRecord found = decode(json(text));
    assertThat(found.drops).last().asString().startsWith("unreadable: JSON array of MetricData: ");
  }

  @Test
  void shouldDropIndexControl() {
    assertThat(decode(HEX.parseHex("0481a2496401")).drops)
        .containsExactly("unsupported: an index control message");
  }

  /** A text, a map and an array that claim 4 GiB. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "81dbffffffff",
        "81db7fffffff",
        "dfffffffff",
        "81a44e616d65db7ffffff0",
        "81a154dd7fffffff",
        "010000000000000000dd7fffffff",
        "c1",
        ""
      })
  void shouldNotTrustAClaimedLength(String hex) {
    FoundInRecord found = decode(HEX.parseHex(hex));
    assertThat(found.points).isEmpty();
    assertThat(found.drops).hasSize(1);
  }

  @Test
  void shouldRecogniseItsOwn() {
    assertThat(
            List.of(
                DATA,
                METRIC_POINT,
                IDLE.pointWithoutOrganisation(1, 1),
                array(DATA),
                json("[{\"name\":\"a\",\"value\":1,\"time\":1}]"),
                joined(new byte[] {5, 2}, IDLE.body(1, 1), new byte[4])))
        .allMatch(MetrictankDecoder::recognises);
    byte[] telegraf =
        packed(
            to -> {
              to.packMapHeader(4);
              to.packString("name").packString("cpu");
              to.packString("time").packInt(7);
              to.packString("tags").packMapHeader(0);
              to.packString("fields").packMapHeader(0);
            });
    assertThat(
            List.of(
                new byte[0],
                telegraf,
                "a 1 10\n".getBytes(StandardCharsets.UTF_8),
                "[{}]".getBytes(StandardCharsets.UTF_8),
                joined(METRIC_POINT, new byte[1]),
                HEX.parseHex("0502"),
                HEX.parseHex("0a4f0a1a0a085f5f")))
        .noneMatch(MetrictankDecoder::recognises);
  }
}
