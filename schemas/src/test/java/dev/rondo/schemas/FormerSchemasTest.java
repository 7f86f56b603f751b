package dev.rondo.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.SchemaParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What was written before a message changed is read after. */
class FormerSchemasTest {

  /** Bytes that the program of that time has written. */
  @Test
  void shouldReadRowOfBeforeWhisperMode() throws IOException {
    byte[] bytes = resource("BundleRow-1.bin");

    BundleRow row =
        Topics.BUNDLE_ROWS.valueSerde().deserializer().deserialize("rondo.bundle-rows", bytes);

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
                65536,
                1520,
                1_700_000_000_000L,
                List.of(1.5, Double.NaN, -0.0)));
    assertThat(Topics.BUNDLE_ROWS.valueSerde().serializer().serialize("rondo.bundle-rows", row))
        .as("written anew it has the present schema")
        .hasSize(bytes.length + 1);
  }

  /** Bytes that the program of that time has written. */
  @Test
  void shouldReadPointsOfBeforePolicyHints() {
    byte[] bytes =
        HexFormat.of().parseHex("c30104f369bac81e0bb40206612e6280a0abfef962000000000000294000");

    assertThat(Topics.POINTS_SERDE.deserializer().deserialize("by-series", bytes))
        .isEqualTo(new Points("", List.of(new Point("a.b", 1_700_000_000_000L, 12.5))));
  }

  /**
   * All schemas that records were ever written by. Who changes a message adds a line and keeps the
   * former schema in {@code former/}.
   */
  @ParameterizedTest
  @CsvSource({
    "Points,       1, b40b1ec8ba69f304",
    "Points,       2, 77c70124968701ce",
    "SeriesEntry,  1, 6441048bdd297002",
    "BundleRowKey, 1, 8fe565a9d79bed5d",
    "BundleRow,    1, 9135e2005cc16b28",
    "BundleRow,    2, edac20c163ff27e9",
    "PointBatch,   1, 723ea631716c4237"
  })
  void shouldKnowEverySchemaThatRecordsWereWrittenBy(
      String message, int version, String fingerprint) throws IOException {
    String former = "former/" + message + "-" + version + ".avsc";
    boolean isFormer = FormerSchemas.class.getResource(former) != null;
    Schema schema = parse(isFormer ? former : "messages/" + message + ".avsc");

    assertThat("%016x".formatted(SchemaNormalization.parsingFingerprint64(schema)))
        .isEqualTo(fingerprint);
  }

  @ParameterizedTest
  @MethodSource("formerFiles")
  void shouldReadEveryFormerSchemaAsThePresentOne(Path file) throws IOException {
    String message = file.getFileName().toString().replaceFirst("-[0-9]+[.]avsc$", "");
    Schema former = parse("former/" + file.getFileName());
    Schema present = parse("messages/" + message + ".avsc");

    assertThat(SchemaCompatibility.checkReaderWriterCompatibility(present, former).getType())
        .isEqualTo(SchemaCompatibilityType.COMPATIBLE);
    assertThat(
            FormerSchemas.of(message)
                .findByFingerprint(SchemaNormalization.parsingFingerprint64(former)))
        .as("versions are counted from 1, none left out")
        .isEqualTo(former);
  }

  private static Stream<Path> formerFiles() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("former"))) {
      return files.toList().stream();
    }
  }

  private static Schema parse(String name) throws IOException {
    try (InputStream file = FormerSchemas.class.getResourceAsStream(name)) {
      return new SchemaParser().parse(file).mainSchema();
    }
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream file = FormerSchemasTest.class.getResourceAsStream(name)) {
      return file.readAllBytes();
    }
  }
}
