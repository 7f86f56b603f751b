package dev.rondo.schemas;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Serde of {@link Points}, through which every point of an unkeyed source passes: the bytes of
 * {@link AvroSerde}, but field by field, without the schema traversal of generated classes. {@link
 * AvroSerde} reads records in previous schemas. Thread-safe.
 */
final class PointsSerde implements Serde<Points> {
  private static final byte[] HEADER = SingleObject.header(Points.getClassSchema());

  /** Fewest bytes of a point: the length of its ident, its time, its value. */
  private static final int MIN_POINT_BYTES = 2 + Double.BYTES;

  private static final int USUAL_POINT_BYTES = 96;

  private final Serde<Points> previous =
      AvroSerde.of("Points", Points.getEncoder(), Points::createDecoder);

  @Override
  public Serializer<Points> serializer() {
    return (topic, points) -> points == null ? null : encode(points);
  }

  private static byte[] encode(Points points) {
    var bytes = new ByteArrayOutputStream(points.getPoints().size() * USUAL_POINT_BYTES);
    bytes.writeBytes(HEADER);
    BinaryEncoder to = EncoderFactory.get().binaryEncoder(bytes, null);
    try {
      to.writeString(points.getPolicy());
      to.writeArrayStart();
      to.setItemCount(points.getPoints().size());
      for (Point point : points.getPoints()) {
        to.startItem();
        to.writeString(point.getIdent());
        to.writeLong(point.getT());
        to.writeDouble(point.getV());
      }
      to.writeArrayEnd();
      to.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // cannot happen: writes to memory
    }
    return bytes.toByteArray();
  }

  @Override
  public Deserializer<Points> deserializer() {
    Deserializer<Points> ofPrevious = previous.deserializer();
    return (topic, bytes) ->
        SingleObject.hasHeader(bytes, HEADER)
            ? decode(topic, bytes)
            : ofPrevious.deserialize(topic, bytes);
  }

  private static Points decode(String topic, byte[] bytes) {
    try {
      BinaryDecoder from =
          DecoderFactory.get()
              .binaryDecoder(bytes, HEADER.length, bytes.length - HEADER.length, null);
      String policy = from.readString();
      List<Point> points = new ArrayList<>();
      for (long block = from.readArrayStart(); block > 0; block = from.arrayNext()) {
        if (block > from.remainingBytes() / MIN_POINT_BYTES) {
          throw new AvroRuntimeException(block + " points in " + from.remainingBytes() + " bytes");
        }
        for (long point = 0; point < block; point++) {
          points.add(new Point(from.readString(), from.readLong(), from.readDouble()));
        }
      }
      return new Points(policy, points);
    } catch (IOException | AvroRuntimeException e) {
      throw new SerializationException(
          "topic " + topic + ": " + bytes.length + " bytes are not a Points", e);
    }
  }
}
