package dev.rondo.topology.replay;

import dev.rondo.schemas.Replay;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.TopologyConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * How many replays an application has had, as {@code rondo.replays} tells. State that was written
 * under a lower epoch is of before the last replay.
 */
public final class ReplayEpoch {
  private static final Duration READ_BOUND = Duration.ofMinutes(1);
  private static final Duration KNOWN_BOUND = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(500);

  private ReplayEpoch() {}

  /**
   * The epoch of {@code application.id}; 0 before its first replay.
   *
   * @throws IllegalStateException where {@code rondo.replays} does not exist
   * @throws TimeoutException where it cannot be read to its end within a minute
   */
  public static int read(TopologyConfig config) throws InterruptedException {
    try (Consumer<String, Replay> consumer =
        new KafkaConsumer<>(
            config.reader(),
            Topics.REPLAYS.keySerde().deserializer(),
            Topics.REPLAYS.valueSerde().deserializer())) {
      return highest(consumer, config.getString("application.id"));
    }
  }

  private static int highest(Consumer<String, Replay> consumer, String applicationId)
      throws InterruptedException {
    List<TopicPartition> partitions = partitions(consumer);
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    long deadline = System.nanoTime() + READ_BOUND.toNanos();
    int epoch = 0;
    while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
      if (System.nanoTime() > deadline) {
        throw new TimeoutException(
            "topic %s could not be read to its end within %d s"
                .formatted(Topics.REPLAYS.name(), READ_BOUND.toSeconds()));
      }
      for (ConsumerRecord<String, Replay> entry : consumer.poll(POLL)) {
        if (applicationId.equals(entry.key()) && entry.value() != null) {
          epoch = Math.max(epoch, entry.value().getEpoch());
        }
      }
    }
    return epoch;
  }

  /** A topic that was made just now is not known to every broker at once. */
  private static List<TopicPartition> partitions(Consumer<String, Replay> consumer)
      throws InterruptedException {
    long deadline = System.nanoTime() + KNOWN_BOUND.toNanos();
    while (true) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(Topics.REPLAYS.name()).stream()
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .toList();
      if (!partitions.isEmpty()) {
        return partitions;
      }
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "topic %s does not exist: the topology creates it at its start"
                .formatted(Topics.REPLAYS.name()));
      }
      Thread.sleep(POLL.toMillis());
    }
  }

  /** Makes {@code replay} the last one of the application; returns when Kafka has it. */
  static void write(TopologyConfig config, Replay replay)
      throws ExecutionException, InterruptedException {
    try (Producer<String, Replay> producer =
        new KafkaProducer<>(
            config.writer(),
            Topics.REPLAYS.keySerde().serializer(),
            Topics.REPLAYS.valueSerde().serializer())) {
      producer
          .send(
              new ProducerRecord<>(
                  Topics.REPLAYS.name(), config.getString("application.id"), replay))
          .get();
    }
  }
}
