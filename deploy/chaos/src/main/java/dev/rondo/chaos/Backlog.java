package dev.rondo.chaos;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** What lies in the topics of a consumer group and is not taken and committed yet. */
final class Backlog implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);

  private final String group;
  private final Admin admin;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Map<TopicPartition, Long> ends;

  /** What is there now counts, and not what comes later. */
  Backlog(String bootstrap, String group) throws InterruptedException, ExecutionException {
    this.group = group;
    admin = Admin.create(Map.of("bootstrap.servers", bootstrap));
    consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                bootstrap,
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    ends = ends(committed().keySet());
  }

  private Map<TopicPartition, Long> committed() throws InterruptedException, ExecutionException {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    admin
        .listConsumerGroupOffsets(group)
        .partitionsToOffsetAndMetadata()
        .get()
        .forEach((partition, offset) -> offsets.put(partition, offset.offset()));
    return offsets;
  }

  private Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions)
      throws InterruptedException, ExecutionException {
    return admin
        .listOffsets(
            partitions.stream().collect(Collectors.toMap(p -> p, p -> OffsetSpec.latest())))
        .all()
        .get()
        .entrySet()
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, end -> end.getValue().offset()));
  }

  /**
   * How many offsets are left; some of them may be no records but the ends of transactions, which a
   * group does not commit where no record follows: 0 when all the others are taken.
   */
  long offsets() throws InterruptedException, ExecutionException {
    Map<TopicPartition, Long> left = committed();
    left.entrySet()
        .removeIf(taken -> taken.getValue() >= ends.getOrDefault(taken.getKey(), Long.MIN_VALUE));
    return holdRecords(left)
        ? left.entrySet().stream().mapToLong(p -> ends.get(p.getKey()) - p.getValue()).sum()
        : 0;
  }

  /** Whether there are records from these offsets on, or a transaction that is open. */
  private boolean holdRecords(Map<TopicPartition, Long> offsets) {
    consumer.assign(offsets.keySet());
    offsets.forEach(consumer::seek);
    while (!offsets.isEmpty() && consumer.poll(POLL).isEmpty()) {
      Map<TopicPartition, Long> before = Map.copyOf(offsets);
      offsets.replaceAll((partition, offset) -> consumer.position(partition));
      boolean isAtEnd =
          offsets.entrySet().stream().allMatch(p -> p.getValue() >= ends.get(p.getKey()));
      if (isAtEnd) {
        return false;
      }
      if (offsets.equals(before)) {
        return true; // nothing comes, nor its end: not committed yet
      }
    }
    return !offsets.isEmpty();
  }

  @Override
  public void close() {
    consumer.close();
    admin.close();
  }
}
