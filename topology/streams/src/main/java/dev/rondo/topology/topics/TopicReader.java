package dev.rondo.topology.topics;

import dev.rondo.schemas.Topic;
import dev.rondo.topology.config.TopologyConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/** Reads a small topic from its beginning to its end, then new entries. */
public final class TopicReader<K, V> implements AutoCloseable {
  private static final Duration READ_TIMEOUT = Duration.ofMinutes(1);
  private static final Duration METADATA_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(500);

  /** Short, as closing a consumer waits for its last fetch. */
  private static final int FETCH_WAIT_MS = 10;

  private final String topic;
  private final Consumer<K, V> consumer;

  /** Starts at the first entry. */
  public TopicReader(TopologyConfig config, Topic<K, V> topic) {
    Map<String, Object> reader = new HashMap<>(config.reader());
    reader.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_WAIT_MS);
    this.topic = topic.name();
    this.consumer =
        new KafkaConsumer<>(
            reader, topic.keySerde().deserializer(), topic.valueSerde().deserializer());
  }

  /**
   * Passes each entry to {@code sink}, in partition order; the value of a tombstone is null.
   *
   * @throws IllegalStateException if the topic does not exist
   * @throws TimeoutException if it cannot be read to its end within a minute
   */
  public static <K, V> void read(TopologyConfig config, Topic<K, V> topic, BiConsumer<K, V> sink)
      throws InterruptedException {
    try (TopicReader<K, V> reader = new TopicReader<>(config, topic)) {
      reader.readOn(entry -> sink.accept(entry.key(), entry.value()));
    }
  }

  /**
   * Passes the entries since the last call to {@code sink}, in partition order.
   *
   * @throws IllegalStateException if the topic does not exist
   * @throws TimeoutException if it cannot be read to its end within a minute
   */
  public void readOn(java.util.function.Consumer<ConsumerRecord<K, V>> sink)
      throws InterruptedException {
    if (consumer.assignment().isEmpty()) {
      List<TopicPartition> partitions = partitions();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
    }
    Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
    long deadline = System.nanoTime() + READ_TIMEOUT.toNanos();
    while (ends.entrySet().stream()
        .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
      if (System.nanoTime() > deadline) {
        throw new TimeoutException(
            "Failed to read topic %s to its end within %d s"
                .formatted(topic, READ_TIMEOUT.toSeconds()));
      }
      consumer.poll(POLL).forEach(sink);
    }
  }

  /** Fetches the partitions; retries, as brokers learn of a new topic with a delay. */
  private List<TopicPartition> partitions() throws InterruptedException {
    long deadline = System.nanoTime() + METADATA_TIMEOUT.toNanos();
    while (true) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .toList();
      if (!partitions.isEmpty()) {
        return partitions;
      }
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "topic %s does not exist; the topology creates it when it starts".formatted(topic));
      }
      Thread.sleep(POLL.toMillis());
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}
