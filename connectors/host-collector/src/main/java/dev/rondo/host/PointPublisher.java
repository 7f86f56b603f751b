package dev.rondo.host;

import static org.apache.kafka.clients.producer.ProducerConfig.ACKS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.BUFFER_MEMORY_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.CLIENT_ID_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.COMPRESSION_TYPE_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.MAX_BLOCK_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG;

import dev.rondo.connection.kafka.KafkaSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes records to one topic in order, under one key and thus to one partition. While the
 * broker is down or refuses, or the topic is missing, buffers records up to a bound of bytes, for
 * any time; beyond the bound, drops and logs the oldest. Not thread-safe.
 */
final class PointPublisher implements AutoCloseable {
  /** Bound of the buffer, here and again in the producer; hours of readings of a few KB. */
  static final long MAX_BUFFERED_BYTES = 16L * 1024 * 1024;

  private static final Logger LOG = LoggerFactory.getLogger(PointPublisher.class);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
  private static final int MAX_BLOCK_MS = 500;

  private final String topic;
  private final byte[] key;
  private final Map<String, Object> config;
  private final DropLog drops;
  private final long maxBufferedBytes;
  private final Deque<byte[]> buffered = new ArrayDeque<>();
  private long bufferedBytes;
  private boolean wasAvailable = true;

  /** Null after a refusal, until the next attempt. */
  private Producer<byte[], byte[]> producer;

  PointPublisher(
      KafkaSettings kafka, String topic, String key, DropLog drops, long maxBufferedBytes) {
    this.topic = topic;
    this.key = key.getBytes(StandardCharsets.UTF_8);
    this.drops = drops;
    this.maxBufferedBytes = maxBufferedBytes;
    this.config = config(kafka);
    producer = connected();
  }

  private Producer<byte[], byte[]> connected() {
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private static Map<String, Object> config(KafkaSettings kafka) {
    var config = new HashMap<String, Object>();
    config.put(CLIENT_ID_CONFIG, "rondo-host-collector");
    config.put(ACKS_CONFIG, "all");
    config.put(ENABLE_IDEMPOTENCE_CONFIG, true);
    config.put(COMPRESSION_TYPE_CONFIG, "lz4");
    config.put(BUFFER_MEMORY_CONFIG, MAX_BUFFERED_BYTES);
    // Records in the producer never expire.
    config.put(DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
    // Shorter than any interval, so that no reading is late because of the broker.
    config.put(MAX_BLOCK_MS_CONFIG, MAX_BLOCK_MS);
    config.put(RECONNECT_BACKOFF_MAX_MS_CONFIG, 5_000);
    return kafka.with(config);
  }

  /** Sends buffered records and then these, or buffers them. Returns within half a second. */
  void publish(List<byte[]> records) {
    records.forEach(this::buffer);
    sendBuffered();
  }

  /** Sends buffered records, for up to five seconds, and logs the dropped ones. */
  @Override
  public void close() {
    sendBuffered();
    if (producer != null) {
      producer.close(CLOSE_TIMEOUT);
    }
    while (!buffered.isEmpty()) {
      dropOldest("the collector ended before topic " + topic + " was available");
    }
    drops.close();
  }

  private void buffer(byte[] bytes) {
    buffered.add(bytes);
    bufferedBytes += bytes.length;
    while (bufferedBytes > maxBufferedBytes) {
      dropOldest(
          bufferedBytes + " bytes buffered for topic " + topic + ", bound " + maxBufferedBytes);
    }
  }

  private void dropOldest(String reason) {
    bufferedBytes -= buffered.remove().length;
    drops.dropped(reason);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the callback handles every failure
  private void sendBuffered() {
    while (!buffered.isEmpty() && topicIsAvailable()) {
      byte[] bytes = buffered.remove();
      bufferedBytes -= bytes.length;
      producer.send(
          new ProducerRecord<>(topic, key, bytes),
          (metadata, failure) -> {
            if (failure != null) {
              drops.dropped(failure.toString());
            }
          });
    }
  }

  /**
   * Must be called before every send: while all brokers are down, the producer forgets them, and a
   * send would fail instead of waiting.
   */
  private boolean topicIsAvailable() {
    boolean isAvailable = false;
    String reason = "";
    try {
      producer = producer == null ? connected() : producer;
      isAvailable = !producer.partitionsFor(topic).isEmpty();
    } catch (TimeoutException e) {
      reason = e.getMessage();
    } catch (KafkaException e) { // rights and logins come back, too
      reason = e.toString();
      disconnect();
    }
    if (isAvailable != wasAvailable) {
      wasAvailable = isAvailable;
      if (isAvailable) {
        LOG.info("topic {} is available; sending {} buffered records", topic, buffered.size());
      } else {
        LOG.warn("topic {} is not available, records are buffered: {}", topic, reason);
      }
    }
    return isAvailable;
  }

  /**
   * Gives up what the producer holds: one that was refused when it asked for its id waits for one
   * for ever.
   */
  private void disconnect() {
    if (producer != null) {
      producer.close(Duration.ZERO);
      producer = null;
    }
  }
}
