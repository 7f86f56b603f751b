package dev.rondo.connect.postgres.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.rows.Bundle;
import dev.rondo.rows.BundleProperties;
import dev.rondo.rows.Row;
import dev.rondo.rows.WriteMode;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.SeriesEntry;
import java.util.List;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChangeReaderTest {
  private static final BundleRow ROW =
      new BundleRow(
          "default",
          "max",
          60_000L,
          60,
          3,
          0.25,
          true,
          "wmean",
          65536,
          7,
          420_000L,
          List.of(1.0, Double.NaN));

  @Test
  void shouldReadBundleRow() {
    var change = (RowChange) ChangeReader.read(Records.row(ROW));
    Row row = change.row();
    assertThat(row.key())
        .isEqualTo(new Row.Key(new Bundle("default", "max", 60_000, 60), 65536, 7));
    assertThat(row.width()).isEqualTo(3);
    assertThat(change.properties()).isEqualTo(new BundleProperties(0.25, true, "wmean"));
    assertThat(change.mode()).isEqualTo(WriteMode.OVERWRITE);
    assertThat(row.endMs()).isEqualTo(420_000);
    assertThat(row.dp()).containsExactly(1.0, Double.NaN);
  }

  @Test
  void shouldReadSeries() {
    var entry = new SeriesEntry("cpu;host=a", "default", 65536, 2, 99L, "", "", 0L);
    assertThat(ChangeReader.read(Records.series(entry)))
        .isEqualTo(
            new Series(
                new Ident("{\"name\":\"cpu\",\"host\":\"a\"}"),
                new Series.Location("default", 65536, 2),
                99,
                ""));
  }

  @Test
  void shouldReadEvent() {
    var event =
        new dev.rondo.schemas.Event("ci-0@7#0@9", 1_000L, "deploy", List.of("web", "v2"), "");
    assertThat(ChangeReader.read(Records.event(event)))
        .isEqualTo(new Event("ci-0@7#0@9", 1_000, "deploy", List.of("web", "v2"), ""));
  }

  @Test
  void shouldReadSourceOfSeries() {
    var entry = new SeriesEntry("cpu", "default", 65536, 2, 99L, "metrics.web", "", 0L);
    assertThat(ChangeReader.read(Records.series(entry)))
        .isEqualTo(
            new Series(
                new Ident("{\"name\":\"cpu\"}"),
                new Series.Location("default", 65536, 2),
                99,
                "metrics.web"));
  }

  @Test
  void shouldReadRenaming() {
    var entry = new SeriesEntry("cpu", "default", 65536, 2, 99L, "points", "cpu;host=a", 120L);
    assertThat(ChangeReader.read(Records.series(entry)))
        .isEqualTo(
            new Renaming(
                new Series(
                    new Ident("{\"name\":\"cpu\"}"),
                    new Series.Location("default", 65536, 2),
                    99,
                    "points"),
                new Ident("{\"name\":\"cpu\",\"host\":\"a\"}"),
                120));
  }

  @Test
  void shouldReadTombstone() {
    assertThat(ChangeReader.read(Records.retirement("cpu")))
        .isEqualTo(new Retirement(new Ident("{\"name\":\"cpu\"}")));
  }

  @Test
  void shouldRefuseMoreValuesThanWidth() {
    var tooLong = BundleRow.newBuilder(ROW).setDp(List.of(1.0, 2.0, 3.0, 4.0)).build();
    shouldRefuse(Records.row(tooLong), "dp has 4 values, width is 3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"text", "{\"dp\": []}"})
  void shouldRefuseValueWithoutFields(String value) {
    shouldRefuse(
        Records.of("any", SchemaAndValue.NULL, new SchemaAndValue(Schema.STRING_SCHEMA, value)),
        "value is a String, not a struct or a map: check value.converter");
  }

  @Test
  void shouldRefuseTombstoneWithoutText() {
    shouldRefuse(Records.of("any", SchemaAndValue.NULL, SchemaAndValue.NULL), "key.converter");
  }

  @Test
  void shouldRefuseStrangeStruct() {
    Schema schema = SchemaBuilder.struct().name("strange").build();
    shouldRefuse(
        Records.of("any", SchemaAndValue.NULL, new SchemaAndValue(schema, new Struct(schema))),
        "strange");
  }

  @Test
  void shouldNameMissingField() {
    Schema schema =
        SchemaBuilder.struct()
            .name("partial")
            .field("dp", SchemaBuilder.array(Schema.FLOAT64_SCHEMA).build())
            .field("policy", Schema.OPTIONAL_STRING_SCHEMA)
            .build();
    var value = new SchemaAndValue(schema, new Struct(schema).put("dp", List.of()));
    shouldRefuse(Records.of("any", SchemaAndValue.NULL, value), "policy");
  }

  @Test
  void shouldRefuseModeThatIsNeitherTrueNorFalse() {
    var fields = SchemaBuilder.struct().name("row");
    Struct good = (Struct) Records.row(ROW).value();
    for (var field : good.schema().fields()) {
      fields.field(
          field.name(), field.name().equals("whisper") ? Schema.STRING_SCHEMA : field.schema());
    }
    var wrong = new Struct(fields.build());
    for (var field : good.schema().fields()) {
      wrong.put(field.name(), field.name().equals("whisper") ? "yes" : good.get(field));
    }
    shouldRefuse(
        Records.of("any", SchemaAndValue.NULL, new SchemaAndValue(wrong.schema(), wrong)),
        "field whisper of row is yes, not true or false");
  }

  private static void shouldRefuse(SinkRecord record, String reason) {
    assertThatThrownBy(() -> ChangeReader.read(record))
        .isInstanceOf(DataException.class)
        .hasMessageContaining(reason);
  }
}
