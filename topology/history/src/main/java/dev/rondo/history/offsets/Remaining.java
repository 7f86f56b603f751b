package dev.rondo.history.offsets;

import dev.rondo.topology.config.TopologyConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Tells whether records are left between two offsets. The last offsets of a partition may be those
 * of transaction markers, which no group commits.
 */
public final class Remaining {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final long LONGEST_NANOS = 10_000_000_000L;

  private Remaining() {}

  /**
   * Whether no committed record is left.
   *
   * @param next offset of the next record of each partition; 0 without an entry
   * @param ends offset after the last record of each partition
   */
  public static boolean isNone(
      TopologyConfig config, Map<TopicPartition, Long> next, Map<TopicPartition, Long> ends) {
    Map<TopicPartition, Long> open = new HashMap<>();
    ends.forEach(
        (partition, end) -> {
          long from = next.getOrDefault(partition, 0L);
          if (from < end) {
            open.put(partition, from);
          }
        });
    if (open.isEmpty()) {
      return true;
    }
    try (var consumer =
        new KafkaConsumer<>(
            config.reader(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      Set<TopicPartition> left = new HashSet<>(open.keySet());
      consumer.assign(left);
      open.forEach(consumer::seek);
      long deadline = System.nanoTime() + LONGEST_NANOS;
      while (System.nanoTime() < deadline) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          var partition = new TopicPartition(record.topic(), record.partition());
          if (record.offset() < ends.get(partition)) {
            return false;
          }
        }
        left.removeIf(partition -> consumer.position(partition) >= ends.get(partition));
        if (left.isEmpty()) {
          return true;
        }
      }
      return false;
    }
  }
}
