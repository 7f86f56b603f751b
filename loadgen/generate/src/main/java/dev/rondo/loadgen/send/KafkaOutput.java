package dev.rondo.loadgen.send;

import java.time.Duration;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Sends records to a Kafka topic. */
public final class KafkaOutput implements Output {
  private final KafkaProducer<byte[], byte[]> producer;

  /**
   * Fetches the metadata of the topic, for which the first record would wait otherwise.
   *
   * @param producer closed at the end
   */
  public KafkaOutput(KafkaProducer<byte[], byte[]> producer, String topic) {
    this.producer = producer;
    producer.partitionsFor(topic);
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the callback gets the result
  public void send(ProducerRecord<byte[], byte[]> record, Callback callback) {
    producer.send(record, callback);
  }

  @Override
  public void close() {
    producer.close(Duration.ZERO);
  }
}
