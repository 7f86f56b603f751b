package dev.rondo.tools.why.stage;

import dev.rondo.schemas.PolicyVersion;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.decode.TimeLimits;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads topics of the cluster without a group, each call for a bounded time. */
public final class Cluster implements AutoCloseable {
  /** For a part to answer. */
  public static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Duration POLL = Duration.ofMillis(100);
  private static final int PATIENCE_MS = (int) PATIENCE.toMillis();

  private final TopologyConfig config;
  private final Admin admin;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private TimeLimits timeLimits;

  public Cluster(TopologyConfig config) {
    this.config = config;
    Map<String, Object> clients = new HashMap<>(config.admin());
    clients.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, PATIENCE_MS);
    clients.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, PATIENCE_MS);
    admin = Admin.create(clients);
    Map<String, Object> reader = new HashMap<>(config.reader());
    reader.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, PATIENCE_MS);
    reader.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    reader.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 1 << 20);
    reader.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 10);
    consumer =
        new KafkaConsumer<>(reader, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  TopologyConfig config() {
    return config;
  }

  Admin admin() {
    return admin;
  }

  /** The limits of times, of age only if there is a version of the policies. */
  TimeLimits timeLimits() throws InterruptedException {
    if (timeLimits == null) {
      Policies latest =
          Attempt.of(() -> PolicyStage.latest(config), error -> Optional.<PolicyVersion>empty())
              .map(version -> PoliciesFile.parse(version.getYaml()))
              .orElse(new Policies(List.of()));
      timeLimits = TimeLimits.of(config, latest);
    }
    return timeLimits;
  }

  /** Partitions of a topic; none if it does not exist. */
  List<TopicPartition> partitions(String topic) {
    return consumer.partitionsFor(topic).stream()
        .map(info -> new TopicPartition(topic, info.partition()))
        .toList();
  }

  /** Offset behind the last record of each partition. */
  Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions) {
    return consumer.endOffsets(partitions);
  }

  /** Offsets that a group has committed. */
  Map<TopicPartition, Long> committed(String group)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, Long> committed = new HashMap<>();
    admin
        .listConsumerGroupOffsets(group, new ListConsumerGroupOffsetsOptions())
        .partitionsToOffsetAndMetadata()
        .get()
        .forEach(
            (partition, offset) -> {
              if (offset != null) {
                committed.put(partition, offset.offset());
              }
            });
    return committed;
  }

  /**
   * Passes the newest records of each partition, in its order.
   *
   * @param most offsets of a partition to read back from its end
   * @param bound time after which it stops
   * @return whether it has read all of them
   */
  boolean newest(
      Collection<TopicPartition> partitions,
      long most,
      Duration bound,
      Consumer<ConsumerRecord<byte[], byte[]>> sink) {
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    Map<TopicPartition, Long> from = new HashMap<>();
    consumer
        .beginningOffsets(partitions)
        .forEach((partition, begin) -> from.put(partition, begin(begin, ends, partition, most)));
    return read(from, ends, bound, sink);
  }

  private static long begin(
      long begin, Map<TopicPartition, Long> ends, TopicPartition partition, long most) {
    return Math.max(begin, ends.get(partition) - most);
  }

  /** Passes all records of each partition, in its order; fails if that takes longer. */
  void all(
      Collection<TopicPartition> partitions,
      Duration bound,
      Consumer<ConsumerRecord<byte[], byte[]>> sink) {
    if (!newest(partitions, Long.MAX_VALUE / 2, bound, sink)) {
      throw new TimeoutException(
          "%s could not be read to the end within %d s".formatted(partitions, bound.toSeconds()));
    }
  }

  /** When the first record at or after an offset was written, epoch ms; null if there is none. */
  Long writtenMs(TopicPartition partition, long offset, long end) {
    List<Long> times = new ArrayList<>();
    long begin = consumer.beginningOffsets(List.of(partition)).get(partition);
    Map<TopicPartition, Long> until = Map.of(partition, end);
    read(
        Map.of(partition, Math.max(begin, offset)),
        until,
        PATIENCE,
        record -> {
          times.add(record.timestamp());
          consumer.seek(partition, end); // only the first is needed
        });
    return times.isEmpty() ? null : times.get(0);
  }

  private boolean read(
      Map<TopicPartition, Long> from,
      Map<TopicPartition, Long> to,
      Duration bound,
      Consumer<ConsumerRecord<byte[], byte[]>> sink) {
    List<TopicPartition> left =
        new ArrayList<>(from.keySet().stream().filter(p -> from.get(p) < to.get(p)).toList());
    consumer.assign(left);
    left.forEach(partition -> consumer.seek(partition, from.get(partition)));
    long deadline = System.nanoTime() + bound.toNanos();
    while (!left.isEmpty() && System.nanoTime() < deadline) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        if (record.offset() < to.get(new TopicPartition(record.topic(), record.partition()))) {
          sink.accept(record);
        }
      }
      if (left.removeIf(partition -> consumer.position(partition) >= to.get(partition))) {
        consumer.assign(left);
      }
    }
    return left.isEmpty();
  }

  @Override
  public void close() {
    consumer.close(CloseOptions.timeout(Duration.ZERO));
    admin.close(Duration.ZERO);
  }
}
