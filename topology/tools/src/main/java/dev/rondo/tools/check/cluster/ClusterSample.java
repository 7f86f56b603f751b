package dev.rondo.tools.check.cluster;

import dev.rondo.tools.check.record.SampleShares;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads the newest records of many topics. Each of a few consumers reads all partitions of some
 * topics at once, so that the time depends on the brokers rather than on the number of topics.
 */
final class ClusterSample {
  private static final int TOPICS_AT_ONCE = 20;
  private static final Duration POLL = Duration.ofMillis(200);

  /** A topic of large records is sampled with fewer of them. */
  private static final long MAX_TOPIC_BYTES = 4L << 20;

  private final Map<String, Object> config;
  private final int recordsPerTopic;
  private final int consumers;
  private final long deadlineNanos;

  /**
   * @param config of a consumer
   * @param consumers that read at the same time
   * @param budget after which no further topic is read
   */
  ClusterSample(Map<String, Object> config, int recordsPerTopic, int consumers, Duration budget) {
    this.config = new HashMap<>(config);
    this.config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    this.config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    this.config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest"); // deleted meanwhile
    this.config.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 64 << 10);
    this.recordsPerTopic = recordsPerTopic;
    this.consumers = consumers;
    this.deadlineNanos = System.nanoTime() + budget.toNanos();
  }

  /**
   * The records of a topic.
   *
   * @param isAllowed whether the topic may be read
   * @param isWhole whether all were read before the time was up
   */
  record Sample(
      String topic,
      List<PartitionEnds> partitions,
      List<ConsumerRecord<byte[], byte[]>> records,
      boolean isAllowed,
      boolean isWhole) {}

  /**
   * Reads the topics.
   *
   * @param each receives each sample, one at a time, from any thread
   */
  void read(Map<String, List<PartitionEnds>> topics, Consumer<Sample> each)
      throws ExecutionException, InterruptedException {
    var left = new ConcurrentLinkedQueue<>(List.copyOf(topics.keySet()));
    var ids = new AtomicInteger();
    Callable<Void> reading =
        () -> {
          Map<String, Object> own = new HashMap<>(config);
          own.merge(
              ConsumerConfig.CLIENT_ID_CONFIG, ids.getAndIncrement(), (id, n) -> id + "-" + n);
          try (var consumer =
              new KafkaConsumer<>(own, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            for (List<String> some = next(left); !some.isEmpty(); some = next(left)) {
              for (Sample sample : new Batch(consumer, topics, some).read()) {
                synchronized (this) {
                  each.accept(sample);
                }
              }
            }
          }
          return null;
        };
    ExecutorService threads = Executors.newFixedThreadPool(consumers);
    try {
      List<Future<Void>> started = new ArrayList<>();
      for (int n = 0; n < consumers; n++) {
        started.add(threads.submit(reading));
      }
      for (Future<Void> one : started) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static List<String> next(ConcurrentLinkedQueue<String> left) {
    List<String> some = new ArrayList<>();
    for (String topic = left.poll(); topic != null; topic = left.poll()) {
      some.add(topic);
      if (some.size() == TOPICS_AT_ONCE) {
        break;
      }
    }
    return some;
  }

  /** Some topics that one consumer reads together. */
  private final class Batch {
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<String> topics;
    private final Map<String, List<PartitionEnds>> partitions;
    private final Map<TopicPartition, Integer> shares = new HashMap<>();
    private final Map<TopicPartition, Long> ends = new HashMap<>();
    private final Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> records =
        new HashMap<>();
    private final Map<String, Long> bytes = new HashMap<>();
    private final Set<String> forbidden = new HashSet<>();
    private final Set<TopicPartition> open = new HashSet<>();

    Batch(
        KafkaConsumer<byte[], byte[]> consumer,
        Map<String, List<PartitionEnds>> partitions,
        List<String> topics) {
      this.consumer = consumer;
      this.topics = topics;
      this.partitions = partitions;
    }

    List<Sample> read() {
      Map<TopicPartition, Long> begins = new HashMap<>();
      for (String topic : topics) {
        Map<TopicPartition, Long> offsets = new LinkedHashMap<>();
        partitions.get(topic).forEach(one -> offsets.put(one.partition(), one.end() - one.begin()));
        shares.putAll(SampleShares.of(offsets, recordsPerTopic));
        for (PartitionEnds partition : partitions.get(topic)) {
          int share = shares.getOrDefault(partition.partition(), 0);
          if (share > 0) {
            // every second offset may be a transaction marker, which is not a record
            begins.put(
                partition.partition(), Math.max(partition.begin(), partition.end() - 2L * share));
            ends.put(partition.partition(), partition.end());
          }
        }
      }
      open.addAll(begins.keySet());
      consumer.assign(open);
      begins.forEach(consumer::seek);
      while (!open.isEmpty() && System.nanoTime() < deadlineNanos) {
        poll();
      }
      return topics.stream().map(this::sample).toList();
    }

    private void poll() {
      try {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          var partition = new TopicPartition(record.topic(), record.partition());
          if (record.offset() < ends.get(partition)) {
            records.computeIfAbsent(partition, p -> new ArrayList<>()).add(record);
            bytes.merge(record.topic(), (long) record.serializedValueSize(), Long::sum);
          }
        }
        Set<TopicPartition> read = new HashSet<>(open);
        read.removeIf(partition -> !isRead(partition));
        open.removeAll(read);
        consumer.pause(read);
      } catch (TopicAuthorizationException e) {
        forbidden.addAll(e.unauthorizedTopics());
        open.removeIf(partition -> forbidden.contains(partition.topic()));
        consumer.assign(open); // keeps the positions
      }
    }

    private boolean isRead(TopicPartition partition) {
      return consumer.position(partition) >= ends.get(partition)
          || bytes.getOrDefault(partition.topic(), 0L) > MAX_TOPIC_BYTES;
    }

    private Sample sample(String topic) {
      List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
      for (PartitionEnds partition : partitions.get(topic)) {
        List<ConsumerRecord<byte[], byte[]>> read =
            records.getOrDefault(partition.partition(), List.of());
        int share = shares.getOrDefault(partition.partition(), 0);
        all.addAll(read.subList(Math.max(0, read.size() - share), read.size()));
      }
      return new Sample(
          topic,
          partitions.get(topic),
          all,
          !forbidden.contains(topic),
          open.stream().noneMatch(partition -> partition.topic().equals(topic)));
    }
  }
}
