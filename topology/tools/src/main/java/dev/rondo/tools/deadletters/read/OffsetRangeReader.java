package dev.rondo.tools.deadletters.read;

import dev.rondo.tools.command.CommandException;
import dev.rondo.topology.config.TopologyConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads a topic without a consumer group, up to the end offsets at the time of construction.
 * Offsets are by partition.
 */
public final class OffsetRangeReader implements AutoCloseable {
  /** Time without progress after which Kafka counts as unreachable. */
  private static final Duration STUCK = Duration.ofSeconds(30);

  private static final Duration POLL = Duration.ofMillis(200);

  /** Fetches must fit into a small heap, and must not wait long at the end of a partition. */
  private static final Map<String, Object> CONFIG =
      Map.of(
          ConsumerConfig.ISOLATION_LEVEL_CONFIG,
          "read_committed",
          ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
          false,
          ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
          1024 * 1024,
          ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
          16 * 1024 * 1024,
          ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
          50);

  private final String topic;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Map<Integer, Long> begins;
  private final Map<Integer, Long> ends;

  /**
   * @throws CommandException if the topic does not exist
   */
  public OffsetRangeReader(TopologyConfig config, String topic) {
    this.topic = topic;
    Map<String, Object> properties = new HashMap<>(config.reader());
    properties.putAll(CONFIG);
    consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic).stream().map(info -> at(info.partition())).toList();
    if (partitions.isEmpty()) {
      consumer.close();
      throw CommandException.refused(
          "topic '%s' does not exist: the topology has never run on this cluster".formatted(topic));
    }
    begins = byNumber(consumer.beginningOffsets(partitions));
    ends = byNumber(consumer.endOffsets(partitions));
  }

  private TopicPartition at(int partition) {
    return new TopicPartition(topic, partition);
  }

  private static Map<Integer, Long> byNumber(Map<TopicPartition, Long> offsets) {
    return offsets.entrySet().stream()
        .collect(Collectors.toMap(entry -> entry.getKey().partition(), Map.Entry::getValue));
  }

  public Map<Integer, Long> begins() {
    return begins;
  }

  public Map<Integer, Long> ends() {
    return ends;
  }

  /** First offsets of records written at {@code fromMs}, epoch ms, or later. */
  public Map<Integer, Long> begins(long fromMs) {
    Map<TopicPartition, Long> times = new HashMap<>();
    begins.keySet().forEach(p -> times.put(at(p), fromMs));
    Map<Integer, Long> offsets = new HashMap<>();
    consumer
        .offsetsForTimes(times)
        .forEach((partition, found) -> offsets.put(partition.partition(), orEnd(partition, found)));
    return offsets;
  }

  private long orEnd(TopicPartition partition, OffsetAndTimestamp found) {
    return found == null ? ends.get(partition.partition()) : found.offset();
  }

  /**
   * Passes the records from {@code from} to before {@code to} to {@code sink}, in order within a
   * partition.
   */
  public void read(
      Map<Integer, Long> from,
      Map<Integer, Long> to,
      Consumer<ConsumerRecord<byte[], byte[]>> sink) {
    Map<TopicPartition, Long> until = new HashMap<>();
    from.forEach(
        (partition, offset) -> {
          if (offset < to.get(partition)) {
            until.put(at(partition), to.get(partition));
          }
        });
    consumer.assign(until.keySet());
    until.keySet().forEach(partition -> consumer.seek(partition, from.get(partition.partition())));
    long progressed = System.nanoTime();
    while (!consumer.assignment().isEmpty()) {
      ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
      for (ConsumerRecord<byte[], byte[]> record : records) {
        if (record.offset() < to.get(record.partition())) {
          sink.accept(record);
        }
      }
      boolean isPartitionDone = until.entrySet().removeIf(this::isRead);
      if (isPartitionDone) {
        consumer.assign(until.keySet());
      }
      if (isPartitionDone || !records.isEmpty()) {
        progressed = System.nanoTime();
      } else if (System.nanoTime() - progressed > STUCK.toNanos()) {
        throw new TimeoutException(
            "no record of %s arrived within %d s: check the brokers (bootstrap.servers)"
                .formatted(until.keySet(), STUCK.toSeconds()));
      }
    }
  }

  private boolean isRead(Map.Entry<TopicPartition, Long> until) {
    return consumer.position(until.getKey()) >= until.getValue();
  }

  @Override
  public void close() {
    consumer.close();
  }
}
