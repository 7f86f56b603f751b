package dev.rondo.loadgen.send;

import static org.apache.kafka.clients.producer.ProducerConfig.ACKS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.BATCH_SIZE_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.BUFFER_MEMORY_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.CLIENT_ID_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.COMPRESSION_TYPE_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.LINGER_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.MAX_BLOCK_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG;

import dev.rondo.connection.kafka.KafkaSettings;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Settings of the producer: it never gives up a record, and never duplicates or reorders records.
 * While the brokers are unreachable records stay in its buffer; when that is full, the generator
 * blocks and lags.
 */
public final class ProducerSettings {
  private static final long BUFFER_BYTES = 32L * 1024 * 1024;

  private final Map<String, Object> settings = new HashMap<>();

  /**
   * Settings for the given brokers.
   *
   * @param kafka how to connect
   * @param overrides settings of the producer that replace those here
   */
  public ProducerSettings(KafkaSettings kafka, Map<String, String> overrides) {
    settings.putAll(kafka.properties());
    settings.put(CLIENT_ID_CONFIG, "rondo-loadgen");
    settings.put(ACKS_CONFIG, "all");
    settings.put(ENABLE_IDEMPOTENCE_CONFIG, true);
    settings.put(DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
    settings.put(MAX_BLOCK_MS_CONFIG, Long.MAX_VALUE);
    settings.put(BUFFER_MEMORY_CONFIG, BUFFER_BYTES);
    settings.put(RECONNECT_BACKOFF_MAX_MS_CONFIG, 1_000);
    settings.put(LINGER_MS_CONFIG, 100);
    settings.put(BATCH_SIZE_CONFIG, 128 * 1024);
    settings.put(COMPRESSION_TYPE_CONFIG, "lz4");
    settings.putAll(overrides);
  }

  /** Creates a producer with these settings. */
  public KafkaProducer<byte[], byte[]> producer() {
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }
}
