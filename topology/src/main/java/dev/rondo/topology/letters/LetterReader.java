package dev.rondo.topology.letters;

import dev.rondo.schemas.Topics;
import dev.rondo.topology.TopologyConfig;
import dev.rondo.topology.command.CommandException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
 * Reads {@code rondo.dead-letters} outside any group, up to where it ended at first. Offsets are by
 * partition.
 */
final class LetterReader implements AutoCloseable {
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

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Map<Integer, Long> begins;
  private final Map<Integer, Long> ends;

  /**
   * @throws CommandException where there is no such topic
   */
  LetterReader(TopologyConfig config) {
    Map<String, Object> properties = new HashMap<>(config.reader());
    properties.putAll(CONFIG);
    consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    List<TopicPartition> partitions =
        consumer.partitionsFor(Topics.DEAD_LETTERS.name()).stream()
            .map(info -> at(info.partition()))
            .toList();
    if (partitions.isEmpty()) {
      consumer.close();
      throw CommandException.refused(
          "there is no topic %s: the topology has never run on this cluster"
              .formatted(Topics.DEAD_LETTERS.name()));
    }
    begins = byNumber(consumer.beginningOffsets(partitions));
    ends = byNumber(consumer.endOffsets(partitions));
  }

  private static TopicPartition at(int partition) {
    return new TopicPartition(Topics.DEAD_LETTERS.name(), partition);
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

  /** Where to begin for what {@code filter} means. */
  Map<Integer, Long> begins(LetterFilter filter) {
    if (filter.fromMs().isEmpty()) {
      return begins;
    }
    Map<TopicPartition, Long> times = new HashMap<>();
    begins.keySet().forEach(p -> times.put(at(p), filter.fromMs().getAsLong()));
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

  /** The letters at these places, in this order, without those that are no more. */
  List<Letter> read(List<LetterPlace> places) {
    Map<Integer, Map<Long, Letter>> found = new HashMap<>();
    Map<Integer, Long> from = new HashMap<>();
    Map<Integer, Long> to = new HashMap<>();
    for (LetterPlace place : places) {
      found.computeIfAbsent(place.partition(), p -> new HashMap<>()).put(place.offset(), null);
      from.merge(place.partition(), place.offset(), Math::min);
      to.merge(place.partition(), place.offset() + 1, Math::max);
    }
    read(
        from,
        to,
        record -> {
          Map<Long, Letter> wanted = found.get(record.partition());
          if (wanted.containsKey(record.offset())) {
            Letter.of(record).ifPresent(letter -> wanted.put(record.offset(), letter));
          }
        });
    return places.stream()
        .map(place -> found.get(place.partition()).get(place.offset()))
        .filter(Objects::nonNull) // retention may have just deleted it
        .toList();
  }

  @Override
  public void close() {
    consumer.close();
  }
}
