package dev.rondo.schemas;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.function.Function;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.message.BinaryMessageDecoder;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.avro.message.SchemaStore;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.avro.util.ClassSecurityValidator;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Serde of one message of {@code messages/*.avsc} in Avro single-object encoding: two magic bytes,
 * eight bytes of schema fingerprint, then the fields. Needs no registry. {@code null} stays {@code
 * null}, a tombstone. Also reads the {@linkplain PreviousSchemas previous schemas} of the message;
 * throws a {@link SerializationException} for bytes of any other schema. Thread-safe.
 *
 * @param message name in error texts and in the files of previous schemas
 * @param decoder reads the current schema and the previous ones
 * @param <M> the generated message class
 */
record AvroSerde<M extends SpecificRecordBase>(
    String message, BinaryMessageEncoder<M> encoder, BinaryMessageDecoder<M> decoder)
    implements Serde<M> {

  static {
    // Avro creates objects of trusted classes only: trust the generated ones of this package.
    ClassSecurityValidator.setGlobal(
        ClassSecurityValidator.composite(
            ClassSecurityValidator.getGlobal(),
            type -> type.getPackageName().equals(AvroSerde.class.getPackageName())));
  }

  /**
   * Creates the serde of a message class.
   *
   * @param decoders the {@code createDecoder} of the class
   */
  static <M extends SpecificRecordBase> AvroSerde<M> of(
      String message,
      BinaryMessageEncoder<M> encoder,
      Function<SchemaStore, BinaryMessageDecoder<M>> decoders) {
    return new AvroSerde<>(message, encoder, decoders.apply(PreviousSchemas.of(message)));
  }

  @Override
  public Serializer<M> serializer() {
    return (topic, value) -> value == null ? null : encode(value);
  }

  @Override
  public Deserializer<M> deserializer() {
    return (topic, bytes) -> bytes == null ? null : decode(topic, bytes);
  }

  private byte[] encode(M value) {
    try {
      ByteBuffer buffer = encoder.encode(value);
      byte[] bytes = new byte[buffer.remaining()];
      buffer.get(bytes);
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException(e); // cannot happen: writes to memory
    }
  }

  private M decode(String topic, byte[] bytes) {
    try {
      return decoder.decode(bytes);
    } catch (IOException | AvroRuntimeException e) {
      throw new SerializationException(
          "topic " + topic + ": " + bytes.length + " bytes are not a " + message, e);
    }
  }
}
