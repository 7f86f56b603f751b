package dev.rondo.loadgen.send;

import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/** Takes the records of a run. One thread sends, flushes and closes. */
@FunctionalInterface
public interface Output extends AutoCloseable {
  /**
   * Sends a record; the callback gets the result.
   *
   * @throws KafkaException if no more records can be sent
   */
  void send(ProducerRecord<byte[], byte[]> record, Callback callback);

  /** Sends what would otherwise be buffered until the next record; called after the last one. */
  default void flush() {}

  /** Gives up what is not acknowledged. */
  @Override
  default void close() {}
}
