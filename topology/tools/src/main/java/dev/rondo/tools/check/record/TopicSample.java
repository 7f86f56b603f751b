package dev.rondo.tools.check.record;

import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.command.MissingTopic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads a sample of a topic's records without a consumer group. */
public final class TopicSample implements AutoCloseable {
  private static final Duration WAIT = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(200);

  /** Time without a record after which Kafka counts as unreachable. */
  private static final Duration STUCK = Duration.ofSeconds(30);

  private final String topic;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Consumer<String> out;
  private List<TopicPartition> partitions = List.of();

  /**
   * @param config of a consumer
   * @param out receives a line when reading has to wait
   */
  public TopicSample(String topic, Map<String, Object> config, Consumer<String> out) {
    Map<String, Object> own = new HashMap<>(config);
    own.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    own.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    own.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 1 << 20);
    this.topic = topic;
    this.consumer =
        new KafkaConsumer<>(own, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    this.out = out;
  }

  /** Finds the partitions of the topic. */
  public void find(Admin admin) throws ExecutionException, InterruptedException {
    MissingTopic.check(
        topic,
        admin.listTopics().names().get(),
        "; ./rondo check source --all lists those with points");
    partitions =
        consumer.partitionsFor(topic).stream()
            .map(PartitionInfo::partition)
            .sorted()
            .map(number -> new TopicPartition(topic, number))
            .toList();
    consumer.assign(partitions);
  }

  public int partitions() {
    return partitions.size();
  }

  /**
   * Reads records in the order of their partitions and offsets; waits up to ten seconds for the
   * first.
   *
   * @param most maximum number, shared among the partitions
   */
  public List<ConsumerRecord<byte[], byte[]>> read(SampleStart from, int most)
      throws InterruptedException {
    Map<TopicPartition, Long> begins = begins(from);
    Map<TopicPartition, Long> ends = awaitRecords(begins);
    Map<TopicPartition, Long> offsets = byPartition();
    begins.forEach((partition, begin) -> offsets.put(partition, ends.get(partition) - begin));
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    SampleShares.of(offsets, most)
        .forEach(
            (partition, share) -> {
              long end = ends.get(partition);
              // every second offset may be a transaction marker, which is not a record
              long begin =
                  from.isNewest()
                      ? Math.max(begins.get(partition), end - 2L * share)
                      : begins.get(partition);
              List<ConsumerRecord<byte[], byte[]>> read =
                  read(partition, begin, end, from.isNewest() ? Integer.MAX_VALUE : share);
              records.addAll(read.subList(Math.max(0, read.size() - share), read.size()));
            });
    return records;
  }

  private Map<TopicPartition, Long> begins(SampleStart from) {
    Map<TopicPartition, Long> begins = byPartition();
    begins.putAll(consumer.beginningOffsets(partitions));
    if (!from.offsets().isEmpty()) {
      begins.keySet().removeIf(partition -> !from.offsets().containsKey(partition.partition()));
      from.offsets()
          .forEach((number, offset) -> begins.merge(partition(number), offset, Math::max));
    }
    if (from.timeMs().isPresent()) {
      Map<TopicPartition, Long> times = new HashMap<>();
      partitions.forEach(partition -> times.put(partition, from.timeMs().getAsLong()));
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      consumer
          .offsetsForTimes(times)
          .forEach(
              (partition, found) ->
                  begins.put(partition, found == null ? ends.get(partition) : found.offset()));
    }
    return begins;
  }

  static <V> Map<TopicPartition, V> byPartition() {
    return new TreeMap<>(Comparator.comparingInt(TopicPartition::partition));
  }

  private TopicPartition partition(int number) {
    if (number >= partitions.size()) {
      throw CommandException.refused(
          "topic '%s' has no partition %d, only 0 to %d (--from)"
              .formatted(topic, number, partitions.size() - 1));
    }
    return partitions.get(number);
  }

  private Map<TopicPartition, Long> awaitRecords(Map<TopicPartition, Long> begins)
      throws InterruptedException {
    Map<TopicPartition, Long> ends = consumer.endOffsets(begins.keySet());
    if (!hasRecords(begins, ends)) {
      out.accept(
          "topic '%s' has no such record; waiting up to %d s for one ..."
              .formatted(topic, WAIT.toSeconds()));
      long deadline = System.nanoTime() + WAIT.toNanos();
      while (!hasRecords(begins, ends) && System.nanoTime() < deadline) {
        Thread.sleep(POLL.toMillis());
        ends = consumer.endOffsets(begins.keySet());
      }
    }
    return ends;
  }

  private static boolean hasRecords(
      Map<TopicPartition, Long> begins, Map<TopicPartition, Long> ends) {
    return begins.keySet().stream().anyMatch(p -> begins.get(p) < ends.get(p));
  }

  private List<ConsumerRecord<byte[], byte[]>> read(
      TopicPartition partition, long begin, long end, int most) {
    consumer.assign(List.of(partition));
    consumer.seek(partition, begin);
    List<ConsumerRecord<byte[], byte[]>> read = new ArrayList<>();
    long progressed = System.nanoTime();
    while (read.size() < most && consumer.position(partition) < end) {
      List<ConsumerRecord<byte[], byte[]>> more = consumer.poll(POLL).records(partition);
      for (ConsumerRecord<byte[], byte[]> record : more) {
        if (read.size() < most && record.offset() < end) {
          read.add(record);
        }
      }
      if (!more.isEmpty()) {
        progressed = System.nanoTime();
      } else if (System.nanoTime() - progressed > STUCK.toNanos()) {
        throw new TimeoutException(
            "no record of %s arrived within %d s: check the brokers (bootstrap.servers)"
                .formatted(partition, STUCK.toSeconds()));
      }
    }
    return read;
  }

  @Override
  public void close() {
    consumer.close();
  }
}
