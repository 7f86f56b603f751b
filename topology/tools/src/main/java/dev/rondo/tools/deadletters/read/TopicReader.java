package dev.rondo.tools.deadletters;

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

/** Reads a topic outside any group, up to where it ended at first. Offsets are by partition. */
final class TopicReader implements AutoCloseable {
  /** Without any progress for this long, Kafka is taken to be away. */
  private static final Duration STUCK = Duration.ofSeconds(30);

  private static final Duration POLL = Duration.ofMillis(200);

  /** What is fetched has to fit into a small heap; and one look must not wait for another's end. */
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
   * @throws CommandException where there is no such topic
   */
  TopicReader(TopologyConfig config, String topic) {
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
          "there is no topic %s: the topology has never run on this cluster".formatted(topic));
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

  Map<Integer, Long> begins() {
    return begins;
  }

  Map<Integer, Long> ends() {
    return ends;
  }

  /** Where to begin for what was written at {@code fromMs}, epoch ms, or later. */
  Map<Integer, Long> begins(long fromMs) {
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

  /** Hands over the records from {@code from} to before {@code to}, in order a partition. */
  void read(
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
            "no record of %s came within %d s".formatted(until.keySet(), STUCK.toSeconds()));
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
