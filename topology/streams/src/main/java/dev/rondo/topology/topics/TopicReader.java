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

/** Reads a small topic from its beginning to its end. */
public final class TopicReader {
  private static final Duration READ_TIMEOUT = Duration.ofMinutes(1);
  private static final Duration METADATA_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(500);

  /** A consumer that closes waits for its last fetch, which asks for what is not there. */
  private static final int FETCH_WAIT_MS = 10;

  private TopicReader() {}

  /**
   * Passes each entry to {@code sink}, in partition order; the value of a tombstone is null.
   *
   * @throws IllegalStateException if the topic does not exist
   * @throws TimeoutException if it cannot be read to its end within a minute
   */
  public static <K, V> void read(TopologyConfig config, Topic<K, V> topic, BiConsumer<K, V> sink)
      throws InterruptedException {
    readOn(config, topic, new HashMap<>(), entry -> sink.accept(entry.key(), entry.value()));
  }

  /**
   * Passes what was written since the last call to {@code sink}, in partition order.
   *
   * @param next offsets that are read next, which it sets; a partition without one is read from its
   *     beginning
   * @throws IllegalStateException if the topic does not exist
   * @throws TimeoutException if it cannot be read to its end within a minute
   */
  public static <K, V> void readOn(
      TopologyConfig config,
      Topic<K, V> topic,
      Map<TopicPartition, Long> next,
      java.util.function.Consumer<ConsumerRecord<K, V>> sink)
      throws InterruptedException {
    Map<String, Object> reader = new HashMap<>(config.reader());
    reader.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_WAIT_MS);
    try (Consumer<K, V> consumer =
        new KafkaConsumer<>(
            reader, topic.keySerde().deserializer(), topic.valueSerde().deserializer())) {
      List<TopicPartition> partitions = partitions(consumer, topic.name());
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      next.forEach(consumer::seek);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      long deadline = System.nanoTime() + READ_TIMEOUT.toNanos();
      while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
        if (System.nanoTime() > deadline) {
          throw new TimeoutException(
              "Failed to read topic %s to its end within %d s"
                  .formatted(topic.name(), READ_TIMEOUT.toSeconds()));
        }
        consumer.poll(POLL).forEach(sink);
      }
      partitions.forEach(partition -> next.put(partition, consumer.position(partition)));
    }
  }

  /** Retries, as a new topic is not known to every broker at once. */
  private static List<TopicPartition> partitions(Consumer<?, ?> consumer, String topic)
      throws InterruptedException {
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
}
