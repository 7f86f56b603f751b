package dev.rondo.schemas;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.SchemaNormalization;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serde;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AvroSerdeTest {
  private static final String TOPIC = "some-topic";

  @Test
  void shouldReadBackPoints() {
    var points =
        new Points(
            "servers",
            List.of(
                new Point("cpu.user;dc=ams;host=größe", 1_700_000_000_000L, 12.5),
                new Point("cpu.user", Long.MIN_VALUE, -0.0)));

    assertThat(roundTrip(Topics.POINTS_SERDE, points)).isEqualTo(points);
  }

  @Test
  void shouldReadBackRowBitForBit() {
    double payloadNan = Double.longBitsToDouble(0x7ff8_0000_0000_0001L);
    var dp = new ArrayList<Double>();
    for (double value :
        new double[] {0.1, Double.NaN, payloadNan, -0.0, Double.MIN_VALUE, Double.MAX_VALUE}) {
      dp.add(value);
    }
    var row =
        new BundleRow(
            "default", "wmean", 10_000L, 2160, 200, 0.5, false, "wmean", 65536, 1520, 1L, dp);

    BundleRow back = roundTrip(Topics.BUNDLE_ROWS.valueSerde(), row);

    assertThat(back).isEqualTo(row);
    assertThat(back.getDp().stream().map(Double::doubleToRawLongBits))
        .containsExactlyElementsOf(dp.stream().map(Double::doubleToRawLongBits).toList());
  }

  @Test
  void shouldReadBackRowWithoutValues() {
    var row =
        new BundleRow(
            "default", "max", 10_000L, 2160, 200, 0.5, false, "wmean", 0, 0, 0L, List.of());

    assertThat(roundTrip(Topics.BUNDLE_ROWS.valueSerde(), row)).isEqualTo(row);
  }

  @Test
  void shouldReadBackRowKeyAndSeries() {
    var key = new BundleRowKey("default", "wmean", 10_000L, 2160, 65536, 1520);
    var series =
        new SeriesEntry(
            "cpu.user;dc=ams", "default", 65536, 200, 1_700_000_000_000L, "points", "", 0L);

    assertThat(roundTrip(Topics.BUNDLE_ROWS.keySerde(), key)).isEqualTo(key);
    assertThat(roundTrip(Topics.SERIES.valueSerde(), series)).isEqualTo(series);
  }

  @Test
  void shouldGiveEqualKeysEqualBytes() {
    var one = new BundleRowKey("default", "wmean", 10_000L, 2160, 65536, 1520);
    var other = new BundleRowKey("default", "wmean", 10_000L, 2160, 65536, 1520);

    assertThat(bytes(Topics.BUNDLE_ROWS.keySerde(), one))
        .isEqualTo(bytes(Topics.BUNDLE_ROWS.keySerde(), other));
  }

  @Test
  void shouldStartWithMagicAndSchemaFingerprint() {
    var key = new BundleRowKey("default", "wmean", 10_000L, 2160, 0, 0);

    ByteBuffer bytes =
        ByteBuffer.wrap(bytes(Topics.BUNDLE_ROWS.keySerde(), key)).order(ByteOrder.LITTLE_ENDIAN);

    assertThat(bytes.get()).isEqualTo((byte) 0xc3);
    assertThat(bytes.get()).isEqualTo((byte) 0x01);
    assertThat(bytes.getLong())
        .isEqualTo(SchemaNormalization.parsingFingerprint64(BundleRowKey.getClassSchema()));
  }

  @ParameterizedTest
  @MethodSource("serdes")
  void shouldKeepNullAsTombstone(Serde<?> serde) {
    assertThat(serde.serializer().serialize(TOPIC, null)).isNull();
    assertThat(serde.deserializer().deserialize(TOPIC, null)).isNull();
  }

  @ParameterizedTest
  @MethodSource("serdes")
  void shouldNameTheTopicOfGarbage(Serde<?> serde) {
    for (byte[] garbage : List.of(new byte[0], "{\"t\": 1}".getBytes(UTF_8), new byte[64])) {
      assertThatThrownBy(() -> serde.deserializer().deserialize(TOPIC, garbage))
          .isInstanceOf(SerializationException.class)
          .hasMessageStartingWith("topic some-topic: " + garbage.length + " bytes are not a ");
    }
  }

  @Test
  void shouldRejectRecordOfAnotherMessage() {
    byte[] series =
        bytes(Topics.SERIES.valueSerde(), new SeriesEntry("a", "default", 0, 1, 0L, "", "", 0L));

    assertThatThrownBy(() -> Topics.POINTS_SERDE.deserializer().deserialize(TOPIC, series))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("are not a Points");
  }

  @Test
  void shouldRejectRecordTruncatedAnywhere() {
    byte[] whole =
        bytes(
            Topics.SERIES.valueSerde(),
            new SeriesEntry("cpu.user", "default", 1, 2, 3L, "", "", 0L));

    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> Topics.SERIES.valueSerde().deserializer().deserialize(TOPIC, cut))
          .as("cut to %d of %d bytes", length, whole.length)
          .isInstanceOf(SerializationException.class);
    }
  }

  private static Stream<Serde<?>> serdes() {
    return Stream.of(
        Topics.POINTS_SERDE,
        Topics.SERIES.valueSerde(),
        Topics.BUNDLE_ROWS.keySerde(),
        Topics.BUNDLE_ROWS.valueSerde());
  }

  private static <M> M roundTrip(Serde<M> serde, M message) {
    return serde.deserializer().deserialize(TOPIC, bytes(serde, message));
  }

  private static <M> byte[] bytes(Serde<M> serde, M message) {
    return serde.serializer().serialize(TOPIC, message);
  }
}
