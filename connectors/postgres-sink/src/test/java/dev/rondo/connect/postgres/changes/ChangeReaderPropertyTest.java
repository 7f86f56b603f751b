package dev.rondo.connect.postgres.changes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.rows.Row;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;

/** Any record is either a change that PostgreSQL accepts or refused with a message. */
class ChangeReaderPropertyTest {
  private static final List<String> NAMES =
      List.of(
          "dp",
          "ident",
          "policy",
          "cf",
          "step_ms",
          "size",
          "width",
          "xff",
          "seg",
          "i",
          "t",
          "pos",
          "starts_at",
          "whisper",
          "other");

  /** A type and a value of it, or null. */
  record Typed(Schema schema, Object value) {}

  @Property
  void shouldReadAnyStructOrRefuseIt(@ForAll("fields") Map<String, Typed> fields) {
    var builder = SchemaBuilder.struct();
    fields.forEach((name, typed) -> builder.field(name, typed.schema()));
    var struct = new Struct(builder.build());
    fields.forEach((name, typed) -> struct.put(name, typed.value()));
    shouldReadOrRefuse(new SchemaAndValue(struct.schema(), struct));
  }

  @Property
  void shouldReadAnyMapOrRefuseIt(@ForAll("fields") Map<String, Typed> fields) {
    var map = new HashMap<String, Object>();
    fields.forEach((name, typed) -> map.put(name, typed.value()));
    shouldReadOrRefuse(new SchemaAndValue(null, map));
  }

  @Property
  void shouldReadAnyOtherValueOrRefuseIt(@ForAll("typed") Typed value, @ForAll String key) {
    if (value.value() == null) {
      shouldRead(new SchemaAndValue(Schema.STRING_SCHEMA, key), SchemaAndValue.NULL);
    } else {
      shouldReadOrRefuse(new SchemaAndValue(value.schema(), value.value()));
    }
  }

  /** A valid row or series with one field replaced, so that most checks are reached. */
  @Provide
  Arbitrary<Map<String, Typed>> fields() {
    Arbitrary<Map<String, Typed>> good = Arbitraries.of(goodRow(), goodSeries(), Map.of());
    Arbitrary<Map<String, Typed>> others =
        Arbitraries.maps(Arbitraries.of(NAMES), typed()).ofMaxSize(3);
    return Combinators.combine(good, others)
        .as(
            (base, changes) -> {
              var fields = new HashMap<>(base);
              fields.putAll(changes);
              return fields;
            });
  }

  @Provide
  Arbitrary<Typed> typed() {
    var doubles =
        Arbitraries.of(Double.NaN, Double.POSITIVE_INFINITY, -1.0, 0.0, 7.0, 0.5, 1e18, 1e300);
    return Arbitraries.oneOf(
        Arbitraries.longs().map(value -> new Typed(Schema.INT64_SCHEMA, value)),
        Arbitraries.longs()
            .between(-2, 100_000)
            .map(value -> new Typed(Schema.OPTIONAL_INT64_SCHEMA, value)),
        Arbitraries.integers().map(value -> new Typed(Schema.INT32_SCHEMA, value)),
        Arbitraries.shorts().map(value -> new Typed(Schema.INT16_SCHEMA, value)),
        Arbitraries.bytes().map(value -> new Typed(Schema.INT8_SCHEMA, value)),
        doubles.map(value -> new Typed(Schema.FLOAT64_SCHEMA, value)),
        doubles.map(value -> new Typed(Schema.FLOAT32_SCHEMA, value.floatValue())),
        Arbitraries.of("0", "7", "1e400", "0.5")
            .map(BigDecimal::new)
            .map(value -> new Typed(Decimal.schema(value.scale()), value)),
        Arbitraries.strings().ofMaxLength(9).map(value -> new Typed(Schema.STRING_SCHEMA, value)),
        Arbitraries.of("wmean", "cpu;k=v", "p", "name\0", "\uD800")
            .map(value -> new Typed(Schema.STRING_SCHEMA, value)),
        Arbitraries.of(true, false).map(value -> new Typed(Schema.BOOLEAN_SCHEMA, value)),
        Arbitraries.just(new Typed(Schema.OPTIONAL_BYTES_SCHEMA, new byte[] {1})),
        Arbitraries.just(new Typed(Schema.OPTIONAL_STRING_SCHEMA, null)),
        doubles
            .injectNull(0.1)
            .list()
            .ofMaxSize(9)
            .map(value -> new Typed(array(Schema.OPTIONAL_FLOAT64_SCHEMA), value)),
        Arbitraries.of("1", "a")
            .list()
            .ofMaxSize(3)
            .map(value -> new Typed(array(Schema.STRING_SCHEMA), value)));
  }

  private static Schema array(Schema elements) {
    return SchemaBuilder.array(elements).optional().build();
  }

  private static Map<String, Typed> goodRow() {
    var row = new HashMap<String, Typed>();
    row.put("policy", new Typed(Schema.STRING_SCHEMA, "p"));
    row.put("cf", new Typed(Schema.STRING_SCHEMA, "wmean"));
    row.put("step_ms", new Typed(Schema.INT64_SCHEMA, 10_000L));
    row.put("size", new Typed(Schema.INT32_SCHEMA, 1000));
    row.put("width", new Typed(Schema.INT32_SCHEMA, 8));
    row.put("xff", new Typed(Schema.FLOAT64_SCHEMA, 0.5));
    row.put("seg", new Typed(Schema.INT32_SCHEMA, 0));
    row.put("i", new Typed(Schema.INT32_SCHEMA, 7));
    row.put("t", new Typed(Schema.INT64_SCHEMA, 70_000L));
    row.put(
        "dp",
        new Typed(
            array(Schema.OPTIONAL_FLOAT64_SCHEMA), new ArrayList<>(Arrays.asList(1.0, null))));
    return row;
  }

  private static Map<String, Typed> goodSeries() {
    return Map.of(
        "ident", new Typed(Schema.STRING_SCHEMA, "cpu;host=a"),
        "policy", new Typed(Schema.STRING_SCHEMA, "p"),
        "seg", new Typed(Schema.INT32_SCHEMA, 0),
        "pos", new Typed(Schema.INT32_SCHEMA, 1),
        "starts_at", new Typed(Schema.INT64_SCHEMA, 0L));
  }

  private static void shouldReadOrRefuse(SchemaAndValue value) {
    shouldRead(SchemaAndValue.NULL, value);
  }

  private static void shouldRead(SchemaAndValue key, SchemaAndValue value) {
    try {
      Change change = ChangeReader.read(Records.of("any", key, value));
      Statistics.collect(change.getClass().getSimpleName());
      if (change instanceof RowChange each) {
        Row row = each.row();
        assertThat(row.dp().length).isLessThanOrEqualTo(row.width());
        assertThat(row.width()).isBetween(1, ChangeReader.MAX_WIDTH);
        assertThat(row.key().i()).isBetween(0, row.key().bundle().size() - 1);
        assertThat(row.dp()).doesNotContain(Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);
      }
    } catch (DataException e) {
      Statistics.collect("refused");
      assertThat(e).hasMessageMatching("(?s).{10,400}").hasNoCause();
    }
  }
}
