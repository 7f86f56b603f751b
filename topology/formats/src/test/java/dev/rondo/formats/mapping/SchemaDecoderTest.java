package dev.rondo.formats.mapping;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedOutputStream;
import dev.rondo.formats.Decoder;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.Found;
import dev.rondo.formats.NameRules;
import dev.rondo.formats.PointSink;
import dev.rondo.formats.RecordLimits;
import dev.rondo.formats.catalog.DecoderSettings;
import dev.rondo.formats.catalog.Format;
import dev.rondo.formats.otlp.OtlpDecoder;
import dev.rondo.formats.schemaregistry.Framing;
import dev.rondo.formats.schemaregistry.Registry;
import dev.rondo.formats.schemaregistry.RegistryServer;
import dev.rondo.formats.schemaregistry.Schema;
import dev.rondo.formats.schemaregistry.SchemaFile;
import dev.rondo.formats.schemaregistry.Schemas;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that Confluent's serializers wrote: {@code src/test/python/registry/golden.py}. */
class SchemaDecoderTest {
  private static final long AT_MS = 1_772_366_400_000L;
  private static final Duration LONG = Duration.ofSeconds(30);

  private static RegistryServer server;

  @BeforeAll
  static void serve() throws Exception {
    server =
        RegistryServer.start(0)
            .put("/schemas/ids/2", "AVRO", text("reading.avsc"), "shop.Place place 1")
            .put(guid("avro-header.header"), "AVRO", text("reading.avsc"), "shop.Place place 1")
            .put("/subjects/place/versions/1", "AVRO", text("place.avsc"))
            .put("/schemas/ids/12", "PROTOBUF", text("reading.proto"), "common.proto common 1")
            .put(
                guid("protobuf-header.header"),
                "PROTOBUF",
                text("reading.proto"),
                "common.proto common 1")
            .put("/subjects/common/versions/1", "PROTOBUF", text("common.proto"))
            .put("/schemas/ids/13", "PROTOBUF", "message {")
            .put("/schemas/ids/14", "AVRO", "{\"type\":\"recor\"}")
            .put(
                "/schemas/ids/15",
                "AVRO",
                """
                {"type":"record","name":"Deep","fields":[
                  {"name":"value","type":"int"},
                  {"name":"next","type":["null","Deep"]},
                  {"name":"empty","type":{"type":"array","items":"null"}}]}
                """)
            .put(
                "/schemas/ids/16",
                "AVRO",
                """
                {"type":"record","name":"Wide","fields":[
                  {"name":"value","type":"int"},
                  {"name":"items","type":{"type":"array","items":
                    {"type":"record","name":"Nothing","fields":[%s]}}}]}
                """
                    .formatted(
                        IntStream.range(0, 1_000)
                            .mapToObj("{\"name\":\"f%d\",\"type\":\"null\"}"::formatted)
                            .collect(joining(","))));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static byte[] golden(String name) {
    return Found.golden(Framing.class, name);
  }

  private static String text(String name) {
    return new String(golden(name), StandardCharsets.UTF_8);
  }

  private static String guid(String header) throws Exception {
    return "/schemas/guids/" + Framing.read(new byte[0], golden(header), false).schema().guid();
  }

  private static Mapping mapping(String name, List<String> tags, String time, String... values) {
    return new Mapping(
        NamePattern.parse(name),
        tags.stream().map(Path::parse).map(Mapping::tag).toList(),
        Optional.of(time).filter(t -> !t.isEmpty()).map(Path::parse),
        Stream.of(values).map(Path::parse).map(Mapping::value).toList());
  }

  private static Decoder decoder(Format format, Mapping mapping) {
    Schemas schemas =
        new Registry(URI.create(server.url()), Optional.empty(), Optional.empty(), LONG, LONG)
            .schemas();
    return decoder(format, mapping, Optional.of(schemas));
  }

  private static Decoder decoder(Format format, Mapping mapping, Optional<Schemas> schemas) {
    return format.decoder(
        new DecoderSettings(
            1024,
            64,
            Optional.empty(),
            Optional.empty(),
            RecordLimits.DEFAULT,
            NameRules.NONE,
            Optional.of(new MappedSource(mapping, schemas))));
  }

  private static final Mapping READINGS =
      mapping(
          "shop.{readings[].metric}",
          List.of("place.host", "place.dc", "labels"),
          "at",
          "readings[].value");

  @ParameterizedTest
  @ValueSource(strings = {"avro", "avro-header"})
  void shouldReadAListOfSamplesInAvro(String name) {
    byte[] header = name.equals("avro") ? null : golden("avro-header.header");
    Found found = found(decoder(Format.AVRO, READINGS), golden(name + ".bin"), header);
    String tags = ";dc=ams;host=web01;rack=r1 ";
    assertThat(found.points)
        .containsExactly(
            "shop.m0" + tags + "1.5 " + AT_MS,
            "shop.m1" + tags + "7.0 " + AT_MS,
            "shop.m2" + tags + "1.0 " + AT_MS);
    assertThat(found.drops).containsExactly(DropReason.TEXT_VALUE, DropReason.NO_VALUE);
  }

  private static Found found(Decoder decoder, byte[] record, byte[] header) {
    return Found.in(record, (value, nowMs, sink) -> decoder.decode(value, header, nowMs, sink));
  }

  @Test
  void shouldReadSeveralFieldsAMapAndADecimalInAvro() {
    Mapping mapping = mapping("{kind}", List.of(), "", "gauges", "price", "requests", "more?");
    assertThat(Found.in(golden("avro.bin"), decoder(Format.AVRO, mapping)).points)
        .containsExactly(
            "CPU.load 0.5 " + Found.NOW_MS,
            "CPU.price 12.34 " + Found.NOW_MS,
            "CPU.requests 42.0 " + Found.NOW_MS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"protobuf", "protobuf-header"})
  void shouldReadProtobuf(String name) {
    byte[] record = golden(name + ".bin");
    byte[] header = null;
    if (name.equals("protobuf")) {
      record[4] = 12; // the id of reading.proto here
    } else {
      header = golden("protobuf-header.header");
    }
    Found found = found(decoder(Format.PROTOBUF, READINGS), record, header);
    String tags = ";dc=ams;host=web01;rack=r1 ";
    assertThat(found.details).containsExactly("'readings[].value' has no value");
    assertThat(found.points).containsExactly("shop.m0" + tags + "1.5 " + AT_MS);
    Mapping fields = mapping("x", List.of(), "", "gauges", "requests", "big", "load", "errors");
    Found ofFields = found(decoder(Format.PROTOBUF, fields), record, header);
    assertThat(ofFields.points)
        .containsExactly(
            "x.load 0.5 " + Found.NOW_MS,
            "x.requests 4.0E9 " + Found.NOW_MS,
            "x.big " + (0x1p63 + 0x1p40) + " " + Found.NOW_MS,
            "x.errors 3.0 " + Found.NOW_MS);
    assertThat(ofFields.drops).containsExactly(DropReason.NAME_COLLISION); // gauges.load and load
  }

  @Test
  void shouldReadKeysOfEntries() {
    Mapping mapping =
        new Mapping(
            NamePattern.parse("gauge.{gauges[].@key}"),
            List.of(),
            Optional.empty(),
            List.of(new Mapping.Value("value", "", Path.parse("gauges[]"))));
    assertThat(Found.in(golden("avro.bin"), decoder(Format.AVRO, mapping)).points)
        .containsExactly("gauge.load 0.5 " + Found.NOW_MS);
  }

  @Test
  void shouldReadFramedJsonWithAndWithoutAMapping() {
    byte[] framed = golden("json.bin");
    String point = "shop.orders;dc=ams 42.0 ";
    for (Format format : List.of(Format.JSON, Format.AUTO)) {
      Decoder plain =
          format.decoder(new DecoderSettings(1024, 64, Optional.empty(), Optional.empty()));
      assertThat(Found.in(framed, plain).points).containsExactly(point + AT_MS);
    }
    Mapping mapping = mapping("{name}", List.of("tags"), "", "value", "missing?");
    Found found = Found.in(framed, decoder(Format.JSON, mapping, Optional.empty()));
    assertThat(found.points).containsExactly(point + Found.NOW_MS);
    assertThat(found.pieces.get(0)).startsWith("{").endsWith("}");
    assertThat(found.drops).isEmpty();
  }

  @Test
  void shouldReadFramedOtlp() {
    DecoderSettings settings = new DecoderSettings(1024, 64, Optional.empty(), Optional.empty());
    byte[] firstMessage = {0, 0, 0, 0, 7, 0};
    byte[] firstMessageInFull = {0, 0, 0, 0, 7, 2, 0};
    byte[] json = {0, 0, 0, 0, 7};
    for (Format format : List.of(Format.OTLP, Format.AUTO)) {
      assertOtlp(format.decoder(settings), firstMessage, "cumulative.bin");
      assertOtlp(format.decoder(settings), firstMessageInFull, "cumulative.bin");
      assertOtlp(format.decoder(settings), json, "cumulative.json");
    }
  }

  private static void assertOtlp(Decoder decoder, byte[] framing, String name) {
    byte[] plain = Found.golden(OtlpDecoder.class, name);
    byte[] framed = Arrays.copyOf(framing, framing.length + plain.length);
    System.arraycopy(plain, 0, framed, framing.length, plain.length);
    Found found = Found.in(framed, decoder);
    assertThat(found.points).isNotEmpty().isEqualTo(Found.in(plain, decoder).points);
    assertThat(found.drops).isEmpty();
  }

  @Test
  void shouldNameTheFieldThatASchemaLacks() {
    Mapping wrong = mapping("x", List.of("place.rack"), "at", "requests");
    Found found = Found.in(golden("avro.bin"), decoder(Format.AVRO, wrong));
    assertThat(found.drops).containsExactly(DropReason.UNSUPPORTED);
    assertThat(found.details)
        .containsExactly(
            "schema 2 has no field 'rack' in shop.Place, needed by 'place.rack' (mapping.tags); it"
                + " has host, dc");
    Mapping list = mapping("x", List.of(), "", "readings");
    assertThat(Found.in(golden("avro.bin"), decoder(Format.AVRO, list)).details.get(0))
        .isEqualTo(
            "schema 2 'readings' is a list, which cannot be used here: write [] after it to read"
                + " its items (mapping.values)");
  }

  @Test
  void shouldReportWhyASchemaIsInvalid() {
    assertThat(details(Format.PROTOBUF, 13)).startsWith("schema 13 is not a .proto file: ");
    assertThat(details(Format.AVRO, 14)).startsWith("schema 14 is not an Avro schema: ");
    assertThat(details(Format.AVRO, 12))
        .isEqualTo("schema 12 is of type PROTOBUF, the source reads AVRO (format)");
    assertThat(details(Format.AVRO, 99)).contains("schema 99: ", "answers 404");
  }

  private static String details(Format format, int id) {
    byte[] record = {0, 0, 0, 0, (byte) id, 0, 1, 2};
    return Found.in(record, decoder(format, READINGS)).details.get(0);
  }

  @Test
  void shouldReadWithTheSchemaOfAFile() {
    Schema schema =
        new Schema(
            "file",
            "PROTOBUF",
            text("reading.proto"),
            List.of(new Schema.Reference("common.proto", text("common.proto"))));
    Decoder decoder =
        decoder(
            Format.PROTOBUF, READINGS, Optional.of(new SchemaFile(schema, "shop.Batch", false)));
    assertThat(Found.in(golden("protobuf-header.bin"), decoder).points).hasSize(1);
    Schemas framed = new SchemaFile(schema, "", true); // the second message, as its indexes say
    assertThat(
            Found.in(
                    golden("protobuf.bin"), decoder(Format.PROTOBUF, READINGS, Optional.of(framed)))
                .points)
        .hasSize(1);
  }

  @Test
  void shouldReadFramedAvroWithTheSchemaOfAFile() {
    Schema schema =
        new Schema(
            "file",
            "AVRO",
            text("reading.avsc"),
            List.of(new Schema.Reference("shop.Place", text("place.avsc"))));
    for (boolean isFramed : List.of(true, false)) {
      Decoder decoder =
          decoder(Format.AVRO, READINGS, Optional.of(new SchemaFile(schema, "", isFramed)));
      assertThat(Found.in(golden("avro.bin"), decoder).points).hasSize(isFramed ? 3 : 0);
      byte[] plain = golden("avro-header.bin");
      assertThat(found(decoder, plain, golden("avro-header.header")).points).hasSize(3);
    }
  }

  @Test
  void shouldBoundRecordsOfATypeThatContainsItself() {
    byte[] record = new byte[100_000];
    Arrays.fill(record, (byte) 2); // value 1, next is present, and so on
    System.arraycopy(new byte[] {0, 0, 0, 0, 15}, 0, record, 0, 5);
    Mapping mapping = mapping("x", List.of(), "", "value");
    assertThat(Found.in(record, decoder(Format.AVRO, mapping)).details.get(0))
        .contains("records are nested deeper than");
    byte[] manyNulls = {0, 0, 0, 0, 15, 2, 0, -2, -1, -1, -1, -1, -1, -1, -1, 127, 0};
    assertThat(Found.in(manyNulls, decoder(Format.AVRO, mapping)).drops)
        .containsExactly(DropReason.UNREADABLE);
  }

  /** Values without bytes: a few bytes would be millions of objects. */
  @Test
  void shouldBoundTheValuesOfARecord() {
    Mapping mapping = mapping("x", List.of(), "", "value");
    byte[] items = {0, 0, 0, 0, 16, 2, -64, -124, 61, 0}; // 500,000 of 1000 fields
    assertThat(Found.in(items, decoder(Format.AVRO, mapping)).drops)
        .containsExactly(DropReason.RECORD_OVER_LIMIT);
    byte[] nulls = {0, 0, 0, 0, 15, 2, 0, -128, -128, -128, 15, 0}; // 15,728,640
    assertThat(Found.in(nulls, decoder(Format.AVRO, mapping)).drops)
        .containsExactly(DropReason.RECORD_OVER_LIMIT);
    byte[] some = {0, 0, 0, 0, 16, 2, 20, 0};
    assertThat(Found.in(some, decoder(Format.AVRO, mapping)).points).hasSize(1);
  }

  /** Converting as many digits as fit into a record takes minutes. */
  @Test
  void shouldNotReadADecimalOfVeryManyDigits() throws IOException {
    Mapping mapping = mapping("x", List.of(), "", "value");
    String avro =
        """
        {"type":"record","name":"Price","fields":[
          {"name":"value","type":{"type":"bytes","logicalType":"decimal","precision":9,"scale":2}}]}
        """;
    String protobuf =
        """
        syntax = "proto3";
        import "confluent/type/decimal.proto";
        message Price { confluent.type.Decimal value = 1; }
        """;
    for (int length : List.of(2, 200_000)) {
      byte[] digits = new byte[length];
      Arrays.fill(digits, (byte) 1);
      var inAvro = new ByteArrayOutputStream();
      EncoderFactory.get().directBinaryEncoder(inAvro, null).writeBytes(digits);
      var decimal = new ByteArrayOutputStream();
      CodedOutputStream out = CodedOutputStream.newInstance(decimal);
      out.writeByteArray(1, digits);
      out.writeInt32(3, 2); // the scale
      out.flush();
      var inProtobuf = new ByteArrayOutputStream();
      CodedOutputStream message = CodedOutputStream.newInstance(inProtobuf);
      message.writeByteArray(1, decimal.toByteArray());
      message.flush();
      for (Found found :
          List.of(
              Found.in(inAvro.toByteArray(), ofFile(Format.AVRO, mapping, avro)),
              Found.in(inProtobuf.toByteArray(), ofFile(Format.PROTOBUF, mapping, protobuf)))) {
        if (length == 2) {
          assertThat(found.points).containsExactly("x 2.57 " + Found.NOW_MS);
        } else {
          assertThat(found.drops).containsExactly(DropReason.TEXT_VALUE);
        }
      }
    }
  }

  private static Decoder ofFile(Format format, Mapping mapping, String schema) {
    Schema of = new Schema("file", format.compiler().type(), schema, List.of());
    return decoder(format, mapping, Optional.of(new SchemaFile(of, "", false)));
  }

  @Test
  void shouldNeverThrowOnAnyBytes() {
    Random random = new Random(7);
    PointSink any =
        new PointSink() {
          @Override
          public void point(String ident, long tMs, double value, int from, int to) {
            // any
          }

          @Override
          public void drop(DropReason reason, String detail, int from, int to) {
            assertThat(detail).isNotEmpty();
          }
        };
    for (String name : List.of("avro", "protobuf")) {
      byte[] record = golden(name + ".bin");
      record[4] = (byte) (name.equals("avro") ? 2 : 12);
      Decoder decoder = decoder(name.equals("avro") ? Format.AVRO : Format.PROTOBUF, READINGS);
      for (int n = 0; n < 20_000; n++) {
        byte[] damaged = Arrays.copyOf(record, 6 + random.nextInt(record.length));
        for (int k = random.nextInt(4); k >= 0; k--) {
          damaged[5 + random.nextInt(damaged.length - 5)] = (byte) random.nextInt();
        }
        decoder.decode(damaged, 1000, any);
      }
      for (int length = 0; length < 6; length++) {
        decoder.decode(new byte[length], new byte[length], 1000, any);
      }
    }
  }
}
