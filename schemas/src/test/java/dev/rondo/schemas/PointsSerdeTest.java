package dev.rondo.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serde;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the serde with the classes that Avro generates. */
class PointsSerdeTest {
  private static final String TOPIC = "by-series";

  private final Serde<Points> serde = new PointsSerde();
  private final Serde<Points> generated =
      AvroSerde.of("Points", Points.getEncoder(), Points::createDecoder);

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 100, 10_000})
  void shouldWriteAndReadTheSameBytesAsAvro(int size) {
    Points points = random(size);

    byte[] bytes = serde.serializer().serialize(TOPIC, points);

    assertThat(bytes).isEqualTo(generated.serializer().serialize(TOPIC, points));
    assertThat(serde.deserializer().deserialize(TOPIC, bytes)).isEqualTo(points);
    assertThat(generated.deserializer().deserialize(TOPIC, bytes)).isEqualTo(points);
  }

  @Test
  void shouldRejectRecordTruncatedAnywhere() {
    byte[] whole = serde.serializer().serialize(TOPIC, random(3));

    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> serde.deserializer().deserialize(TOPIC, cut))
          .as("cut to %d of %d bytes", length, whole.length)
          .isInstanceOf(SerializationException.class)
          .hasMessage("topic by-series: " + length + " bytes are not a Points");
    }
  }

  @Test
  void shouldRejectMorePointsThanBytes() {
    byte[] none = serde.serializer().serialize(TOPIC, new Points("", List.of()));
    byte[] many = Arrays.copyOf(none, none.length + 4);
    Arrays.fill(many, none.length - 1, many.length - 1, (byte) 0xff); // a count of 2^27 or more

    assertThatThrownBy(() -> serde.deserializer().deserialize(TOPIC, many))
        .isInstanceOf(SerializationException.class);
  }

  private static Points random(int size) {
    var random = new Random(size);
    List<Point> points = new ArrayList<>();
    for (int n = 0; n < size; n++) {
      String ident = "cpu." + random.nextInt() + (n % 3 == 0 ? ";host=größe🌍" : ".user");
      points.add(new Point(ident, random.nextLong(), random.nextGaussian()));
    }
    return new Points(size % 2 == 0 ? "" : "servers", points);
  }
}
