package dev.rondo.topology.topics;

import dev.rondo.schemas.Topic;
import dev.rondo.topology.config.TopologyConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/** Reads a small topic of ours from its beginning to its end. */
public final class WholeTopic {
  private static final Duration READ_BOUND = Duration.ofMinutes(1);
  private static final Duration KNOWN_BOUND = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(500);

  private WholeTopic() {}

  /**
   * Hands on each entry, in the order of its partition; tombstones are left out.
   *
   * @throws IllegalStateException where the topic does not exist
   * @throws TimeoutException where it cannot be read to its end within a minute
   */
  public static <K, V> void read(TopologyConfig config, Topic<K, V> topic, BiConsumer<K, V> sink)
      throws InterruptedException {
    try (Consumer<K, V> consumer =
        new KafkaConsumer<>(
            config.reader(), topic.keySerde().deserializer(), topic.valueSerde().deserializer())) {
      read(consumer, topic.name(), sink);
    }
  }

  private static <K, V> void read(Consumer<K, V> consumer, String topic, BiConsumer<K, V> sink)
      throws InterruptedException {
    List<TopicPartition> partitions = partitions(consumer, topic);
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    long deadline = System.nanoTime() + READ_BOUND.toNanos();
    while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
      if (System.nanoTime() > deadline) {
        throw new TimeoutException(
            "topic %s could not be read to its end within %d s"
                .formatted(topic, READ_BOUND.toSeconds()));
      }
      for (ConsumerRecord<K, V> entry : consumer.poll(POLL)) {
        if (entry.value() != null) {
          sink.accept(entry.key(), entry.value());
        }
      }
    }
  }

  /** A topic that was made just now is not known to every broker at once. */
  private static List<TopicPartition> partitions(Consumer<?, ?> consumer, String topic)
      throws InterruptedException {
    long deadline = System.nanoTime() + KNOWN_BOUND.toNanos();
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
            "topic %s does not exist: the topology creates it at its start".formatted(topic));
      }
      Thread.sleep(POLL.toMillis());
    }
  }
}
