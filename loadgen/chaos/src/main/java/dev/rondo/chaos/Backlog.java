package dev.rondo.chaos;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** What lies in topics and is not taken and committed yet by the consumer group that reads them. */
final class Backlog implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);

  private final String group;
  private final Admin admin;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Map<TopicPartition, Long> ends;

  /** What is there now counts, and not what comes later. */
  Backlog(String bootstrap, String group, List<String> topics)
      throws InterruptedException, ExecutionException {
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
    ends = ends(topics);
  }

  private Map<TopicPartition, Long> ends(List<String> topics)
      throws InterruptedException, ExecutionException {
    Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
    admin
        .describeTopics(topics)
        .allTopicNames()
        .get()
        .forEach(
            (topic, description) ->
                description
                    .partitions()
                    .forEach(
                        partition ->
                            latest.put(
                                new TopicPartition(topic, partition.partition()),
                                OffsetSpec.latest())));
    Map<TopicPartition, Long> offsets = new HashMap<>();
    admin
        .listOffsets(latest)
        .all()
        .get()
        .forEach((partition, end) -> offsets.put(partition, end.offset()));
    return offsets;
  }

  /**
   * How many offsets are left; some of them may be no records but the ends of transactions, which a
   * group does not commit where no record follows: 0 when all the others are taken.
   */
  long offsets() throws InterruptedException, ExecutionException {
    Map<TopicPartition, Long> taken = taken();
    taken.entrySet().removeIf(partition -> partition.getValue() >= ends.get(partition.getKey()));
    long left = taken.entrySet().stream().mapToLong(p -> ends.get(p.getKey()) - p.getValue()).sum();
    return holdRecords(taken) ? left : 0;
  }

  /** A partition of which nothing is committed has been read from its beginning. */
  private Map<TopicPartition, Long> taken() throws InterruptedException, ExecutionException {
    Map<TopicPartition, OffsetAndMetadata> committed =
        admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
    Map<TopicPartition, Long> taken = new HashMap<>();
    for (TopicPartition partition : ends.keySet()) {
      OffsetAndMetadata offset = committed.get(partition);
      taken.put(partition, offset == null ? 0 : offset.offset());
    }
    return taken;
  }

  /** Whether there are records from these offsets on, or a transaction that is open. */
  private boolean holdRecords(Map<TopicPartition, Long> from) {
    consumer.assign(from.keySet());
    from.forEach(consumer::seek);
    Map<TopicPartition, Long> read = from;
    while (read.entrySet().stream().anyMatch(p -> p.getValue() < ends.get(p.getKey()))) {
      boolean isEmpty = consumer.poll(POLL).isEmpty();
      Map<TopicPartition, Long> now = new HashMap<>();
      from.keySet().forEach(partition -> now.put(partition, consumer.position(partition)));
      if (!isEmpty || now.equals(read)) {
        return true; // or nothing comes, nor its end: not committed yet
      }
      read = now;
    }
    return false;
  }

  @Override
  public void close() {
    consumer.close();
    admin.close();
  }
}
