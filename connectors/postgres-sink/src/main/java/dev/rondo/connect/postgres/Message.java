package dev.rondo.connect.postgres;

import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;

/**
 * Converts one Avro message type between its bytes and a Connect struct.
 *
 * @param schema Connect schema with the name and fields of the Avro record
 */
record Message<M extends SpecificRecordBase>(Schema schema, Supplier<M> empty, Serde<M> serde) {

  static <M extends SpecificRecordBase> Message<M> of(Supplier<M> empty, Serde<M> serde) {
    return new Message<>(AvroStructs.schema(empty.get().getSchema()), empty, serde);
  }

  /**
   * Reads a message.
   *
   * @throws SerializationException when the bytes are not this message
   */
  SchemaAndValue toConnect(String topic, byte[] bytes) {
    M record = serde.deserializer().deserialize(topic, bytes);
    return new SchemaAndValue(schema, AvroStructs.struct(schema, record));
  }

  /**
   * Writes a message.
   *
   * @throws DataException when the struct's fields are not this message's
   */
  byte[] toBytes(String topic, Struct struct) {
    M record = empty.get();
    try {
      AvroStructs.fill(record, struct);
      return serde.serializer().serialize(topic, record);
    } catch (ClassCastException e) {
      throw new DataException(
          "topic %s: a field of %s has another type than its Avro schema"
              .formatted(topic, schema.name()),
          e);
    }
  }
}
