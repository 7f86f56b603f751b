package dev.rondo.proof;

import dev.rondo.harness.parts.Instances;
import dev.rondo.schemas.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Records when rows of each partition become visible, to measure the freshness of archives. */
final class RowWatch implements AutoCloseable {
  private final Map<Long, List<Integer>> seen = new ConcurrentSkipListMap<>();
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Thread thread = new Thread(this::watch, "row-watch");
  private volatile boolean ended;

  private RowWatch(KafkaConsumer<byte[], byte[]> consumer) {
    this.consumer = consumer;
  }

  /** Starts watching rondo.bundle-rows. */
  public static RowWatch start(String bootstrap) {
    KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap,
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest",
                ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    consumer.assign(
        IntStream.range(0, Instances.PARTITIONS)
            .mapToObj(p -> new TopicPartition(Topics.BUNDLE_ROWS.name(), p))
            .toList());
    RowWatch watch = new RowWatch(consumer);
    watch.thread.setDaemon(true);
    watch.thread.start();
    return watch;
  }

  private void watch() {
    while (!ended) {
      var records = consumer.poll(Duration.ofMillis(100));
      if (!records.isEmpty()) {
        List<Integer> partitions =
            records.partitions().stream().map(TopicPartition::partition).toList();
        seen.put(System.currentTimeMillis(), partitions);
      }
    }
    consumer.close();
  }

  /** The longest time without a new row in a partition, between two times, epoch ms. */
  public Duration longestGap(long fromMs, long toMs) {
    Map<Integer, List<Long>> arrivals = new TreeMap<>();
    for (int p = 0; p < Instances.PARTITIONS; p++) {
      arrivals.put(p, new ArrayList<>(List.of(fromMs)));
    }
    seen.forEach(
        (ms, partitions) -> {
          if (ms > fromMs && ms < toMs) {
            partitions.forEach(p -> arrivals.get(p).add(ms));
          }
        });
    long longest = 0;
    for (List<Long> at : arrivals.values()) {
      at.add(toMs);
      for (int n = 1; n < at.size(); n++) {
        longest = Math.max(longest, at.get(n) - at.get(n - 1));
      }
    }
    return Duration.ofMillis(longest);
  }

  @Override
  public void close() {
    ended = true; // its thread, a daemon, closes the consumer
  }
}
