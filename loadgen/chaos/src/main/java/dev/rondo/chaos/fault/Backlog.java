package dev.rondo.chaos.fault;

import dev.rondo.chaos.load.SourceTopics;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Records of some topics that a consumer group has not yet committed. */
public final class Backlog implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);

  /** Time after which a position does not move any more; a cluster answers broker by broker. */
  private static final Duration STUCK = Duration.ofSeconds(2);

  private final String group;
  private final Admin admin;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Map<TopicPartition, Long> ends;

  /** Fixes the end offsets now; later records do not count. */
  public Backlog(String bootstrap, String group, List<String> topics)
      throws InterruptedException, ExecutionException {
    this.group = group;
    admin = Admin.create(Map.of("bootstrap.servers", bootstrap));
    consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                bootstrap,
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                // a fetch at the end of some partitions delays the next from the same broker
                ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
                50),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    ends = SourceTopics.ends(admin, topics);
  }

  /**
   * Number of uncommitted offsets; 0 when only transaction markers remain, which a group does not
   * commit unless a record follows.
   */
  public long offsets() throws InterruptedException, ExecutionException {
    Map<TopicPartition, Long> taken = taken();
    taken.entrySet().removeIf(partition -> partition.getValue() >= ends.get(partition.getKey()));
    long left = taken.entrySet().stream().mapToLong(p -> ends.get(p.getKey()) - p.getValue()).sum();
    return holdRecords(taken) ? left : 0;
  }

  /** Committed offsets; 0 for a partition without one, as the group reads from the beginning. */
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

  /** Whether records, or an open transaction, follow these offsets. */
  private boolean holdRecords(Map<TopicPartition, Long> from) {
    consumer.assign(from.keySet());
    from.forEach(consumer::seek);
    Map<TopicPartition, Long> read = from;
    long movedNanos = System.nanoTime();
    while (read.entrySet().stream().anyMatch(p -> p.getValue() < ends.get(p.getKey()))) {
      boolean isEmpty = consumer.poll(POLL).isEmpty();
      Map<TopicPartition, Long> now = new HashMap<>();
      from.keySet().forEach(partition -> now.put(partition, consumer.position(partition)));
      if (!now.equals(read)) {
        movedNanos = System.nanoTime();
      }
      if (!isEmpty || System.nanoTime() - movedNanos > STUCK.toNanos()) {
        return true; // records, or a position that does not move: an open transaction
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
