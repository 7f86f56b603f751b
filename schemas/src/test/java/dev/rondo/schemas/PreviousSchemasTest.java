package dev.rondo.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.SchemaParser;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serde;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reads records written before a message changed. {@code previous/Sample-1.avsc} of this test
 * stands for a previous schema of {@code BundleRow} that lacks {@code whisper} and {@code
 * aggregate}.
 */
class PreviousSchemasTest {
  private static final SeriesEntry RENAMED =
      new SeriesEntry(
          "a;k=v", "default", 65536, 3, 1_700_000_000_000L, "points", "b", 1_700_000_060_000L);

  private static final String TOPIC = "some-topic";

  @Test
  void shouldReadRecordOfAPreviousSchema() throws IOException {
    byte[] bytes = sample("previous/Sample-1.avsc");

    AvroSerde<BundleRow> serde =
        AvroSerde.of("Sample", BundleRow.getEncoder(), BundleRow::createDecoder);
    BundleRow row = serde.deserializer().deserialize(TOPIC, bytes);

    assertThat(row)
        .isEqualTo(
            new BundleRow(
                "default",
                "wmean",
                10_000L,
                2160,
                200,
                0.5,
                false,
                "wmean",
                65536,
                1520,
                1_700_000_000_000L,
                List.of(1.5, Double.NaN, -0.0)));
    assertThat(serde.serializer().serialize(TOPIC, row))
        .as("written again it has the present schema")
        .hasSize(bytes.length + 1 + 6);
  }

  @Test
  void shouldRejectRecordOfAnUnknownSchema() throws IOException {
    byte[] bytes = sample("previous/Sample-1.avsc");

    assertThatThrownBy(
            () -> Topics.BUNDLE_ROWS.valueSerde().deserializer().deserialize(TOPIC, bytes))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("are not a BundleRow");
  }

  /** Bytes that each version has written: add new ones, never change these. */
  @ParameterizedTest
  @MethodSource("written")
  void shouldReadRecordsOfEveryVersion(
      Serde<? extends SpecificRecordBase> serde, String hex, SpecificRecordBase message) {
    assertThat(serde.deserializer().deserialize(TOPIC, HexFormat.of().parseHex(hex)))
        .isEqualTo(message);
  }

  static Stream<Arguments> written() {
    return Stream.of(
        Arguments.of(
            Topics.POINTS_SERDE,
            "c301ce0187962401c77702700206612e6280a0abfef962000000000000294000",
            new Points("p", List.of(new Point("a.b", 1_700_000_000_000L, 12.5)))),
        Arguments.of(
            Topics.SERIES.valueSerde(),
            "c301027029dd8b0441640a613b6b3d760e64656661756c748080080680a0abfef962",
            new SeriesEntry("a;k=v", "default", 65536, 3, 1_700_000_000_000L, "", "", 0L)),
        Arguments.of(
            Topics.SERIES.valueSerde(),
            "c301e235c174124b42830a613b6b3d760e64656661756c748080080680a0abfef9620c706f696e7473",
            new SeriesEntry("a;k=v", "default", 65536, 3, 1_700_000_000_000L, "points", "", 0L)),
        Arguments.of(
            Topics.SERIES.valueSerde(),
            "c30169449482376246230a613b6b3d760e64656661756c748080080680a0abfef9620c706f696e747302"
                + "62c0c9b2fef962",
            RENAMED),
        Arguments.of(
            Topics.SERIES.valueSerde(),
            "c301abd8047710b5e1270a613b6b3d760e64656661756c748080080680a0abfef9620c706f696e747302"
                + "62c0c9b2fef962",
            RENAMED),
        Arguments.of(
            Topics.BUNDLE_ROWS.keySerde(),
            "c3015ded9bd7a965e58f0e64656661756c740a776d65616ea09c01e021808008e017",
            new BundleRowKey("default", "wmean", 10_000L, 2160, 65536, 1520)),
        Arguments.of(
            Topics.BUNDLE_ROWS.valueSerde(),
            "c30127e1a037ba033f070e64656661756c740a776d65616ea09c01e0219003000000000000e0"
                + "3f010a776d65616e808008e01780a0abfef96206000000000000f83f000000000000f87f0000000000000080"
                + "00",
            new BundleRow(
                "default",
                "wmean",
                10_000L,
                2160,
                200,
                0.5,
                true,
                "wmean",
                65536,
                1520,
                1_700_000_000_000L,
                List.of(1.5, Double.NaN, -0.0))),
        Arguments.of(
            Topics.REPLAYS.valueSerde(),
            "c301d9396b12af85427f0480a0abfef962020c706f696e7473001a2d2d746f2d6561726c6965" + "7374",
            new Replay(2, 1_700_000_000_000L, List.of("points"), "--to-earliest")));
  }

  /**
   * The schemas of all versions. A changed message needs a new line, and its previous schema in
   * {@code previous/}.
   */
  @ParameterizedTest
  @CsvSource({
    "Points,       1, 77c70124968701ce",
    "SeriesEntry,  1, 6441048bdd297002",
    "SeriesEntry,  2, 83424b1274c135e2",
    "SeriesEntry,  3, 2346623782944469",
    "SeriesEntry,  4, 27e1b5107704d8ab",
    "BundleRowKey, 1, 8fe565a9d79bed5d",
    "BundleRow,    1, 073f03ba37a0e127",
    "Event,        1, 1e3e7352cfdf1b5a",
    "Replay,       1, 7f4285af126b39d9",
    "PointBatch,   1, 723ea631716c4237"
  })
  void shouldKnowTheSchemaOfEveryVersion(String message, int version, String fingerprint)
      throws IOException {
    String previous = "previous/" + message + "-" + version + ".avsc";
    boolean isPrevious = PreviousSchemas.class.getResource(previous) != null;
    Schema schema = parse(isPrevious ? previous : "messages/" + message + ".avsc");

    assertThat("%016x".formatted(SchemaNormalization.parsingFingerprint64(schema)))
        .isEqualTo(fingerprint);
  }

  @Test
  void shouldFindEveryPreviousSchemaByItsFingerprint() throws IOException {
    List<String> names = previousFiles();
    assertThat(names).contains("Sample-1.avsc");
    for (String name : names) {
      Schema previous = parse("previous/" + name);
      Schema present = parse("messages/" + previous.getName() + ".avsc");

      assertThat(SchemaCompatibility.checkReaderWriterCompatibility(present, previous).getType())
          .as(name)
          .isEqualTo(SchemaCompatibilityType.COMPATIBLE);
      assertThat(
              PreviousSchemas.of(name.replaceFirst("-[0-9]+[.]avsc$", ""))
                  .findByFingerprint(SchemaNormalization.parsingFingerprint64(previous)))
          .as(name + ": versions are counted from 1, none left out")
          .isEqualTo(previous);
    }
  }

  /** Schemas of the messages, and of the sample. */
  private static List<String> previousFiles() throws IOException {
    List<String> names = new ArrayList<>();
    for (String folder : List.of("previous", "src/test/resources/dev/rondo/schemas/previous")) {
      if (Files.isDirectory(Path.of(folder))) {
        try (Stream<Path> files = Files.list(Path.of(folder))) {
          files.forEach(file -> names.add(file.getFileName().toString()));
        }
      }
    }
    return names;
  }

  /** Returns a record in this schema, as a previous release writes it. */
  private static byte[] sample(String name) throws IOException {
    Schema schema = parse(name);
    GenericRecord row =
        new GenericRecordBuilder(schema)
            .set("policy", "default")
            .set("cf", "wmean")
            .set("step_ms", 10_000L)
            .set("size", 2160)
            .set("width", 200)
            .set("xff", 0.5)
            .set("seg", 65536)
            .set("i", 1520)
            .set("t", 1_700_000_000_000L)
            .set("dp", List.of(1.5, Double.NaN, -0.0))
            .build();
    var bytes = new BinaryMessageEncoder<GenericRecord>(GenericData.get(), schema).encode(row);
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(copy);
    return copy;
  }

  private static Schema parse(String name) throws IOException {
    try (InputStream file = PreviousSchemas.class.getResourceAsStream(name)) {
      return new SchemaParser().parse(file).mainSchema();
    }
  }
}
