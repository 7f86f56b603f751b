package dev.rondo.formats.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.Found;
import dev.rondo.formats.NameRules;
import dev.rondo.formats.RecordLimits;
import dev.rondo.formats.catalog.DecoderSettings;
import dev.rondo.formats.catalog.Format;
import dev.rondo.formats.schemaregistry.Framing;
import dev.rondo.formats.schemaregistry.Schema;
import dev.rondo.formats.schemaregistry.Schemas;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The types of Avro and Protobuf, in records that Confluent's serializers wrote. */
class SchemaTypesTest {
  private static final Instant AT = Instant.parse("2026-03-01T12:00:00Z");

  private static byte[] golden(String name) {
    return Found.golden(Framing.class, name);
  }

  private static String text(String name) {
    return new String(golden(name), StandardCharsets.UTF_8);
  }

  private static Found read(
      Format format, String record, String schema, String name, String time, String... values) {
    Mapping mapping =
        new Mapping(
            NamePattern.parse(name),
            List.of(),
            Optional.of(time).filter(t -> !t.isEmpty()).map(Path::parse),
            Stream.of(values).map(Path::parse).map(Mapping::value).toList());
    Schemas schemas = id -> new Schema(id.toString(), format.compiler().type(), schema, List.of());
    return Found.in(golden(record), format.decoder(settings(mapping, schemas)));
  }

  private static DecoderSettings settings(Mapping mapping, Schemas schemas) {
    return new DecoderSettings(
        1024,
        64,
        Optional.empty(),
        Optional.empty(),
        RecordLimits.DEFAULT,
        NameRules.NONE,
        Optional.of(new MappedSource(mapping, Optional.of(schemas))));
  }

  private static Found avro(String name, String time, String... values) {
    return read(Format.AVRO, "avro-types.bin", text("types.avsc"), name, time, values);
  }

  private static Found protobuf(String name, String time, String... values) {
    return read(Format.PROTOBUF, "protobuf-types.bin", text("types.proto"), name, time, values);
  }

  @ParameterizedTest
  @CsvSource({
    "millis, 2026-03-01T12:00:00Z",
    "micros, 2026-03-01T12:00:00Z",
    "nanos, 2026-03-01T12:00:00Z",
    "local, 2026-03-01T12:00:00Z",
    "day, 2026-03-01T00:00:00Z"
  })
  void shouldReadTheTimesOfAvro(String field, Instant time) {
    assertThat(avro("x", field, "fixed_price").points)
        .containsExactly("x.fixed_price -12.345 " + time.toEpochMilli());
  }

  @Test
  void shouldReadUnionsOfRecordsInAvro() {
    Found found = avro("event", "millis", "event.price", "clock");
    assertThat(found.points)
        .containsExactly(
            "event.price 7.0 " + AT.toEpochMilli(), "event.clock 4.32E7 " + AT.toEpochMilli());
    assertThat(avro("event.{event.reason}.{id}", "millis", "event.price").points)
        .containsExactly(
            "event.torn.00000000-0000-0000-0000-000000000007.price 7.0 " + AT.toEpochMilli());
    assertThat(avro("event", "millis", "event.missing").drops)
        .containsExactly(DropReason.NO_VALUE); // the branches may have other fields
  }

  @Test
  void shouldReadCollectionsInCollectionsInAvro() {
    Found matrix = avro("m", "millis", "matrix[][]");
    assertThat(matrix.points).hasSize(1).allMatch(point -> point.startsWith("m.matrix "));
    assertThat(matrix.drops)
        .as("the others have its name")
        .containsExactly(DropReason.NAME_COLLISION, DropReason.NAME_COLLISION);
    Found disks = avro("{disks[].@key}.{disks[].state}", "millis", "disks[].free");
    assertThat(disks.points).containsExactly("sda.GOOD.free 0.5 " + AT.toEpochMilli());
    assertThat(disks.drops).containsExactly(DropReason.NO_VALUE);
    assertThat(avro("x", "", "hash").details)
        .containsExactly("schema 1 'hash' is bytes, which cannot be used here (mapping.values)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"types.proto", "protobuf-types.base64"})
  void shouldReadNestedMessagesAndTypesThatRegistriesProvide(String schema) {
    long dayMs = Instant.parse("2026-03-01T00:00:00Z").toEpochMilli();
    Found found =
        read(
            Format.PROTOBUF,
            "protobuf-types.bin",
            text(schema),
            "x",
            "day",
            "price",
            "took",
            "big",
            "levels",
            "up",
            "load?");
    assertThat(found.details).isEmpty();
    assertThat(found.points)
        .containsExactly(
            "x.price -12.345 " + dayMs,
            "x.took 1.5 " + dayMs,
            "x.big " + 0x1p63 + " " + dayMs,
            "x.low -3.0 " + dayMs,
            "x.up 0.0 " + dayMs);
  }

  @Test
  void shouldReadMapsListsAndAOneofOfProtobuf() {
    assertThat(protobuf("{disks[].@key}", "", "disks[].free").points)
        .containsExactly("18446744073709551615.free 0.5 " + Found.NOW_MS);
    Found counts = protobuf("x", "", "counts[]");
    assertThat(counts.points).containsExactly("x.counts 1.0 " + Found.NOW_MS);
    assertThat(counts.details).singleElement().asString().startsWith("value " + (0x1p32 - 1));
    assertThat(protobuf("{error}", "", "up").points).containsExactly("torn.up 0.0 " + Found.NOW_MS);
    assertThat(protobuf("x", "", "load").drops).containsExactly(DropReason.NO_VALUE);
    assertThat(protobuf("x", "", "more.fields.load.number_value").points)
        .containsExactly("x.number_value 0.25 " + Found.NOW_MS);
  }

  @Test
  void shouldReadEverySchemaOfATopicThatChanges() {
    String schema = "{\"type\":\"record\",\"name\":\"R\",\"fields\":[%s]}";
    String load = "{\"name\":\"load\",\"type\":\"%s\"}";
    String temp = "{\"name\":\"temp\",\"type\":\"int\"}";
    List<String> versions =
        List.of(
            schema.formatted(load.formatted("int")),
            schema.formatted(temp + "," + load.formatted("double")),
            schema.formatted(temp));
    List<Integer> asked = new ArrayList<>();
    Schemas schemas =
        id -> {
          asked.add(id.number());
          return new Schema(id.toString(), "AVRO", versions.get(id.number()), List.of());
        };
    var mapping =
        new Mapping(
            NamePattern.NONE,
            List.of(),
            Optional.empty(),
            List.of(Mapping.value(Path.parse("load")), Mapping.value(Path.parse("temp?"))));
    var decoder = Format.AVRO.decoder(settings(mapping, schemas));
    byte[] first = {0, 0, 0, 0, 0, 2};
    byte[] second = {0, 0, 0, 0, 1, 8, 0, 0, 0, 0, 0, 0, -16, 63};
    byte[] third = {0, 0, 0, 0, 2, 8};
    assertThat(Found.in(first, decoder).points).containsExactly("load 1.0 " + Found.NOW_MS);
    assertThat(Found.in(second, decoder).points)
        .containsExactly("load 1.0 " + Found.NOW_MS, "temp 4.0 " + Found.NOW_MS);
    assertThat(Found.in(third, decoder).details)
        .containsExactly(
            "schema 2 has no field 'load' in R, needed by 'load' (mapping.values); it has temp");
    assertThat(Found.in(first, decoder).points).hasSize(1);
    assertThat(asked).containsExactly(0, 1, 2);
  }

  /** Otherwise ten bytes of a record would cost megabytes and milliseconds. */
  @Test
  void shouldCompileAFileOnceForAllItsMessages() {
    String schema = text("types.proto");
    Schemas schemas = id -> new Schema(id.toString(), "PROTOBUF", schema, List.of());
    var mapping =
        new Mapping(
            NamePattern.NONE,
            List.of(),
            Optional.empty(),
            List.of(Mapping.value(Path.parse("up"))));
    var decoder = Format.PROTOBUF.decoder(settings(mapping, schemas));
    byte[] framed = {0, 0, 0, 0, 1, 2, 0, 16, 8}; // one index
    Found.in(framed, decoder);
    ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = thread.getCurrentThreadAllocatedBytes();
    for (int index = 2; index < 120; index += 2) {
      framed[6] = (byte) index;
      assertThat(Found.in(framed, decoder).details.get(0)).contains("no message with the indexes");
    }
    assertThat(thread.getCurrentThreadAllocatedBytes() - before).isLessThan(20L << 20);
  }

  @Test
  void shouldReadProto2() {
    String schema =
        """
        syntax = "proto2";
        message R {
          extensions 100 to 199;
          optional double load = 1 [default = 7];
          required int32 temp = 2;
        }
        """;
    Schemas schemas = id -> new Schema(id.toString(), "PROTOBUF", schema, List.of());
    var mapping =
        new Mapping(
            NamePattern.NONE,
            List.of(),
            Optional.empty(),
            List.of(Mapping.value(Path.parse("temp")), Mapping.value(Path.parse("load"))));
    byte[] framed = {0, 0, 0, 0, 1, 0, 16, 8};
    Found found = Found.in(framed, Format.PROTOBUF.decoder(settings(mapping, schemas)));
    assertThat(found.points).containsExactly("temp 8.0 " + Found.NOW_MS);
    assertThat(found.drops).containsExactly(DropReason.NO_VALUE);
  }
}
