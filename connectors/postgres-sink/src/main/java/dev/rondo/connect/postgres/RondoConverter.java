package dev.rondo.connect.postgres;

import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.BundleRowKey;
import dev.rondo.schemas.Event;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topics;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.storage.Converter;

/**
 * Converts keys and values of Rondo's topics between bytes and Connect data. The bytes decide, not
 * the topic:
 *
 * <pre>
 *   C3 01, fingerprint, fields   an Avro message (single-object encoding) → struct of the same name
 *   anything else                UTF-8 text
 *   nothing                      null: a tombstone
 * </pre>
 *
 * The magic is not valid UTF-8, so no text is mistaken for a message. Thread-safe.
 */
public final class RondoConverter implements Converter {
  private static final int MAGIC_AND_FINGERPRINT_BYTES = 10;

  private static final List<Message<?>> MESSAGES =
      List.of(
          Message.of(BundleRow::new, Topics.BUNDLE_ROWS.valueSerde()),
          Message.of(BundleRowKey::new, Topics.BUNDLE_ROWS.keySerde()),
          Message.of(SeriesEntry::new, Topics.SERIES.valueSerde()),
          Message.of(Event::new, Topics.EVENTS.valueSerde()));

  /** The message type that read a fingerprint before, so that the others are not tried again. */
  private final Map<Long, Message<?>> byFingerprint = new ConcurrentHashMap<>();

  @Override
  public void configure(Map<String, ?> configs, boolean isKey) {}

  /**
   * @throws DataException when the bytes are an Avro message that is none of Rondo's
   */
  @Override
  public SchemaAndValue toConnectData(String topic, byte[] bytes) {
    if (bytes == null) {
      return SchemaAndValue.NULL;
    }
    if (!isAvro(bytes)) {
      return new SchemaAndValue(Schema.STRING_SCHEMA, new String(bytes, StandardCharsets.UTF_8));
    }
    long fingerprint = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(2);
    Message<?> known = byFingerprint.get(fingerprint);
    return known == null ? first(topic, bytes, fingerprint) : read(known, topic, bytes);
  }

  /**
   * @throws DataException when the value is neither text nor a struct named as one of Rondo's
   *     messages
   */
  @Override
  public byte[] fromConnectData(String topic, Schema schema, Object value) {
    if (value == null) {
      return null;
    }
    if (value instanceof String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    if (value instanceof Struct struct) {
      for (Message<?> message : MESSAGES) {
        if (message.schema().name().equals(struct.schema().name())) {
          return message.toBytes(topic, struct);
        }
      }
    }
    throw new DataException(
        "topic %s: %s is neither text nor a Rondo message; check key.converter and value.converter"
            .formatted(topic, schema == null ? value.getClass() : schema));
  }

  @Override
  public String version() {
    return Version.CURRENT;
  }

  private static boolean isAvro(byte[] bytes) {
    return bytes.length >= MAGIC_AND_FINGERPRINT_BYTES
        && bytes[0] == (byte) 0xC3
        && bytes[1] == 0x01;
  }

  /** Tries each message type; its serde decides which schemas it reads. */
  private SchemaAndValue first(String topic, byte[] bytes, long fingerprint) {
    var unread =
        new DataException(
            "topic %s: unknown Avro fingerprint %016x; upgrade the sink if the topology is newer"
                .formatted(topic, fingerprint));
    for (Message<?> message : MESSAGES) {
      try {
        SchemaAndValue read = message.toConnect(topic, bytes);
        byFingerprint.put(fingerprint, message);
        return read;
      } catch (SerializationException e) {
        unread.addSuppressed(e);
      }
    }
    throw unread;
  }

  private static SchemaAndValue read(Message<?> message, String topic, byte[] bytes) {
    try {
      return message.toConnect(topic, bytes);
    } catch (SerializationException e) {
      throw new DataException(e.getMessage(), e);
    }
  }
}
