package dev.rondo.host;

import static org.apache.kafka.clients.producer.ProducerConfig.ACKS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.BOOTSTRAP_SERVERS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.BUFFER_MEMORY_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.CLIENT_ID_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.COMPRESSION_TYPE_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.MAX_BLOCK_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes records without key to one topic. While the broker is away the producer holds up to
 * {@value #BUFFER_BYTES} bytes, for as long as it takes; what does not fit is dropped, counted and
 * logged.
 */
final class PointPublisher implements AutoCloseable {
  /** Bound of what waits for the broker; at a few KB a reading, hours of readings. */
  static final long BUFFER_BYTES = 32L * 1024 * 1024;

  private static final Logger LOG = LoggerFactory.getLogger(PointPublisher.class);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

  private final String topic;
  private final Producer<byte[], byte[]> producer;
  private final DropLog drops;

  PointPublisher(String bootstrap, String topic, DropLog drops) {
    this(topic, drops, config(bootstrap));
  }

  PointPublisher(String topic, DropLog drops, Map<String, Object> config) {
    this.topic = topic;
    this.drops = drops;
    producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Producer settings, before any override. */
  static Map<String, Object> config(String bootstrap) {
    var config = new HashMap<String, Object>();
    config.put(BOOTSTRAP_SERVERS_CONFIG, bootstrap);
    config.put(CLIENT_ID_CONFIG, "rondo-host-collector");
    config.put(ACKS_CONFIG, "all");
    config.put(ENABLE_IDEMPOTENCE_CONFIG, true);
    config.put(COMPRESSION_TYPE_CONFIG, "lz4");
    config.put(BUFFER_MEMORY_CONFIG, BUFFER_BYTES);
    // Nothing expires: only the buffer's bound drops a reading.
    config.put(DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
    // How long one call may hold up the readings, and the end of the process.
    config.put(MAX_BLOCK_MS_CONFIG, 5_000);
    config.put(RECONNECT_BACKOFF_MAX_MS_CONFIG, 5_000);
    return config;
  }

  /**
   * True when the broker has told of the topic, after which records can wait in the producer; false
   * when it has not within five seconds.
   */
  boolean knowsTopic() {
    try {
      return !producer.partitionsFor(topic).isEmpty();
    } catch (TimeoutException e) {
      LOG.warn("topic {} is not to be had yet: {}", topic, e.getMessage());
      return false;
    }
  }

  /** Hands the records over to be sent; returns at once unless the buffer is full. */
  @SuppressWarnings("FutureReturnValueIgnored") // the callback hears of every failure
  void publish(List<byte[]> records) {
    for (byte[] record : records) {
      producer.send(
          new ProducerRecord<>(topic, record),
          (metadata, failure) -> {
            if (failure != null) {
              drops.dropped(failure);
            }
          });
    }
  }

  /** Sends what still waits, for up to five seconds, and logs what had to be dropped. */
  @Override
  public void close() {
    producer.close(CLOSE_TIMEOUT);
    drops.close();
  }
}
