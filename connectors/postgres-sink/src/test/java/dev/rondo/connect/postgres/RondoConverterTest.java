package dev.rondo.connect.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.BundleRowKey;
import dev.rondo.schemas.Points;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topic;
import dev.rondo.schemas.Topics;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.apache.avro.generic.IndexedRecord;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.storage.Converter;
import org.junit.jupiter.api.Test;

class RondoConverterTest {
  private static final BundleRow ROW =
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
          7,
          1_700_000_000_000L,
          List.of(1.5, Double.NaN, -0.0));
  private static final BundleRowKey ROW_KEY =
      new BundleRowKey("default", "wmean", 10_000L, 2160, 65536, 7);
  private static final SeriesEntry SERIES =
      new SeriesEntry("cpu;host=a", "default", 65536, 3, 1_700_000_000_000L, "points", "", 0L);

  private final RondoConverter converter = new RondoConverter();

  @Test
  void shouldReadBundleRow() {
    byte[] bytes = valueBytes(Topics.BUNDLE_ROWS, ROW);
    shouldHaveFieldsOf(ROW, converter.toConnectData("any", bytes));
    shouldComeBack(bytes);
  }

  @Test
  void shouldReadKeyOfBundleRow() {
    byte[] bytes = Topics.BUNDLE_ROWS.keySerde().serializer().serialize("any", ROW_KEY);
    shouldHaveFieldsOf(ROW_KEY, converter.toConnectData("any", bytes));
    shouldComeBack(bytes);
  }

  @Test
  void shouldReadSeries() {
    byte[] bytes = valueBytes(Topics.SERIES, SERIES);
    shouldHaveFieldsOf(SERIES, converter.toConnectData("any", bytes));
    shouldComeBack(bytes);
  }

  @Test
  void shouldReadMessagesInTurns() {
    for (int turn = 0; turn < 3; turn++) {
      shouldHaveFieldsOf(SERIES, converter.toConnectData("a", valueBytes(Topics.SERIES, SERIES)));
      shouldHaveFieldsOf(ROW, converter.toConnectData("b", valueBytes(Topics.BUNDLE_ROWS, ROW)));
    }
  }

  @Property
  void shouldGiveBackAnyValues(@ForAll @Size(max = 200) List<Double> dp) {
    var row = BundleRow.newBuilder(ROW).setDp(dp).build();
    byte[] bytes = valueBytes(Topics.BUNDLE_ROWS, row);
    shouldHaveFieldsOf(row, converter.toConnectData("any", bytes));
    shouldComeBack(bytes);
  }

  @Property
  void shouldGiveBackAnyText(@ForAll String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    SchemaAndValue read = converter.toConnectData("rondo.series", bytes);
    assertThat(read.schema()).isEqualTo(Schema.STRING_SCHEMA);
    assertThat(read.value()).isEqualTo(new String(bytes, StandardCharsets.UTF_8));
    shouldComeBack(bytes);
  }

  @Test
  void shouldReadTombstone() {
    assertThat(converter.toConnectData("rondo.series", null)).isEqualTo(SchemaAndValue.NULL);
    assertThat(converter.fromConnectData("rondo.series", null, null)).isNull();
  }

  @Test
  void shouldRefuseOtherAvroMessages() {
    byte[] points = Topics.POINTS_SERDE.serializer().serialize("any", new Points("", List.of()));
    assertThatThrownBy(() -> converter.toConnectData("by-series", points))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("by-series")
        .hasMessageContaining("fingerprint");
  }

  @Test
  void shouldRefuseCutMessage() {
    byte[] bytes = valueBytes(Topics.BUNDLE_ROWS, ROW);
    shouldHaveFieldsOf(ROW, converter.toConnectData("any", bytes));
    assertThatThrownBy(() -> converter.toConnectData("any", Arrays.copyOf(bytes, bytes.length - 1)))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("BundleRow");
  }

  @Test
  void shouldRefuseToWriteOtherStructs() {
    Schema schema = SchemaBuilder.struct().name("other").build();
    assertThatThrownBy(() -> converter.fromConnectData("any", schema, new Struct(schema)))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("value.converter");
  }

  @Test
  void shouldBeFoundByConnect() {
    assertThat(ServiceLoader.load(Converter.class))
        .hasAtLeastOneElementOfType(RondoConverter.class);
  }

  private static <V> byte[] valueBytes(Topic<?, V> topic, V value) {
    return topic.valueSerde().serializer().serialize(topic.name(), value);
  }

  private static void shouldHaveFieldsOf(IndexedRecord message, SchemaAndValue read) {
    assertThat(read.schema().name()).isEqualTo(message.getSchema().getFullName());
    var names = message.getSchema().getFields().stream().map(field -> field.name()).toList();
    assertThat(read.schema().fields()).extracting(Field::name).isEqualTo(names);
    for (var field : message.getSchema().getFields()) {
      assertThat(((Struct) read.value()).get(field.name())).isEqualTo(message.get(field.pos()));
    }
  }

  private void shouldComeBack(byte[] bytes) {
    SchemaAndValue read = converter.toConnectData("any", bytes);
    assertThat(converter.fromConnectData("any", read.schema(), read.value())).isEqualTo(bytes);
  }
}
