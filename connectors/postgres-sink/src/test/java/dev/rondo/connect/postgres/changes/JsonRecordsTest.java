package dev.rondo.connect.postgres.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.rows.Bundle;
import dev.rondo.rows.BundleProperties;
import dev.rondo.rows.Row;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.transforms.Cast;
import org.apache.kafka.connect.transforms.Flatten;
import org.apache.kafka.connect.transforms.ReplaceField;
import org.apache.kafka.connect.transforms.Transformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows and series in Connect's JSON, with and without schemas. */
class JsonRecordsTest {
  private static final String ROW =
      """
      {"policy": "default", "cf": "max", "step_ms": 60000, "size": 60, "width": 3,
       "xff": 0.25, "seg": 65536, "i": 7, "t": 420000, "dp": [1.5, null, 3]}
      """;
  private static final String ROW_SCHEMA =
      """
      {"type": "struct", "fields": [
        {"field": "policy", "type": "string"}, {"field": "cf", "type": "string"},
        {"field": "step_ms", "type": "%1$s"}, {"field": "size", "type": "%2$s"},
        {"field": "width", "type": "%2$s"}, {"field": "xff", "type": "%3$s", "optional": true},
        {"field": "seg", "type": "%1$s"}, {"field": "i", "type": "%2$s"},
        {"field": "t", "type": "%1$s"},
        {"field": "whisper", "type": "boolean", "optional": true},
        {"field": "dp", "type": "array", "items": {"type": "%3$s", "optional": true}}]}
      """;
  private static final String SERIES =
      """
      {"ident": "cpu;host=a", "policy": "default", "seg": 65536, "pos": 2, "starts_at": 99}
      """;

  @ParameterizedTest
  @CsvSource({
    "int64, int32, double",
    "int32, int16, float",
    "double, int8, double",
    "float, float, float",
    "double, double, double"
  })
  void shouldReadNumbersOfAnyType(String large, String small, String real) {
    shouldBeTheRow(read(withSchema(ROW_SCHEMA.formatted(large, small, real), ROW), true));
  }

  @Test
  void shouldReadRowWithoutSchema() {
    shouldBeTheRow(read(ROW, false));
  }

  @Test
  void shouldReadSeriesWithoutSchema() {
    assertThat(ChangeReader.read(value(SERIES, false)))
        .isEqualTo(
            new Series(
                Ident.parse("cpu;host=a"), new Series.Location("default", 65536, 2), 99, ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void shouldReadRetirement(boolean schemas) {
    String text = "\"cpu;host=a\"";
    String key = schemas ? withSchema("{\"type\": \"string\"}", text) : text;
    var record = Records.of("any", converted(key, schemas), SchemaAndValue.NULL);
    assertThat(ChangeReader.read(record)).isEqualTo(new Retirement(Ident.parse("cpu;host=a")));
  }

  /** The envelope of a writer that has schemas on, read by a converter that has them off. */
  @Test
  void shouldNameEnvelopeThatIsStillThere() {
    SinkRecord record = value(withSchema("{\"type\": \"string\"}", "\"x\""), false);
    assertThatThrownBy(() -> ChangeReader.read(record))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("value.converter.schemas.enable");
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void shouldReadWhatTransformationsLeave(boolean schemas) {
    String row = schemas ? withSchema(ROW_SCHEMA.formatted("int64", "int32", "double"), ROW) : ROW;
    SinkRecord record = value(row, schemas);
    record = through(new ReplaceField.Value<>(), Map.of("exclude", "whisper"), record);
    record = through(new Cast.Value<>(), Map.of("spec", "size:float64,t:float64,i:int8"), record);
    record = through(new Flatten.Value<>(), Map.of(), record);
    shouldBeTheRow((RowChange) ChangeReader.read(record));
  }

  private static SinkRecord through(
      Transformation<SinkRecord> transformation, Map<String, String> config, SinkRecord record) {
    try (transformation) {
      transformation.configure(config);
      return transformation.apply(record);
    }
  }

  private static void shouldBeTheRow(RowChange change) {
    Row row = change.row();
    assertThat(row.key())
        .isEqualTo(new Row.Key(new Bundle("default", "max", 60_000, 60), 65536, 7));
    assertThat(row.width()).isEqualTo(3);
    assertThat(change.properties())
        .as("whisper and aggregate are missing")
        .isEqualTo(new BundleProperties(0.25, false, "wmean"));
    assertThat(row.endMs()).isEqualTo(420_000);
    assertThat(row.dp()).containsExactly(1.5, Double.NaN, 3);
  }

  private static RowChange read(String json, boolean schemas) {
    return (RowChange) ChangeReader.read(value(json, schemas));
  }

  private static SinkRecord value(String json, boolean schemas) {
    return Records.of("any", SchemaAndValue.NULL, converted(json, schemas));
  }

  private static SchemaAndValue converted(String json, boolean schemas) {
    try (var converter = new JsonConverter()) {
      converter.configure(Map.of("schemas.enable", Boolean.toString(schemas)), false);
      return converter.toConnectData("any", json.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static String withSchema(String schema, String payload) {
    return "{\"schema\": %s, \"payload\": %s}".formatted(schema, payload);
  }
}
