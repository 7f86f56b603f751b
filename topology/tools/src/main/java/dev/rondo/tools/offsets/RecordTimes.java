package dev.rondo.tools.offsets;

import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.order.SourceHeaders;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Finds the time at which records were written, epoch ms, by reading them; Kafka offers no other
 * way.
 */
public final class RecordTimes implements AutoCloseable {
  /** Time without progress after which Kafka counts as unreachable. */
  private static final Duration STUCK = Duration.ofSeconds(30);

  private static final Duration POLL = Duration.ofMillis(200);

  private final KafkaConsumer<byte[], byte[]> consumer;

  public RecordTimes(TopologyConfig config) {
    consumer =
        new KafkaConsumer<>(
            config.reader(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /**
   * Time of the first record at or after each offset; without an entry if there is no record with a
   * time.
   */
  public Map<TopicPartition, Long> at(Map<TopicPartition, Long> offsets) {
    Map<TopicPartition, Long> times = new HashMap<>();
    read(
        offsets,
        record -> {
          TopicPartition partition = new TopicPartition(record.topic(), record.partition());
          if (record.timestamp() >= 0) {
            times.putIfAbsent(partition, record.timestamp());
          }
          consumer.pause(List.of(partition)); // only its first record is needed
        });
    return times;
  }

  /**
   * The earliest time among the records of by-series that consolidate has not read; empty if it has
   * read them all. Watermark records do not count: their time comes from the clock.
   */
  public OptionalLong earliestLeft(Collection<SourceOffset> bySeries) {
    long[] earliestMs = {Long.MAX_VALUE};
    read(
        bySeries.stream().collect(Collectors.toMap(SourceOffset::partition, SourceOffset::next)),
        record -> {
          if (!SourceHeaders.holdProgress(record.headers())) {
            earliestMs[0] = Math.min(earliestMs[0], record.timestamp());
          }
        });
    return earliestMs[0] == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(earliestMs[0]);
  }

  /**
   * Reads from the offsets to the end offsets; stops reading a partition that {@code sink} pauses.
   */
  private void read(
      Map<TopicPartition, Long> offsets, Consumer<ConsumerRecord<byte[], byte[]>> sink) {
    consumer.assign(offsets.keySet());
    consumer.resume(offsets.keySet()); // an earlier call may have paused them
    offsets.forEach(consumer::seek);
    Map<TopicPartition, Long> ends = consumer.endOffsets(offsets.keySet());
    long progressed = System.nanoTime();
    while (isReading(ends)) {
      var records = consumer.poll(POLL);
      records.forEach(sink);
      if (!records.isEmpty()) {
        progressed = System.nanoTime();
      } else if (System.nanoTime() - progressed > STUCK.toNanos()) {
        throw new TimeoutException(
            "no record of %s arrived within %d s: check the brokers (bootstrap.servers)"
                .formatted(ends.keySet(), STUCK.toSeconds()));
      }
    }
  }

  private boolean isReading(Map<TopicPartition, Long> ends) {
    return ends.keySet().stream()
        .anyMatch(p -> !consumer.paused().contains(p) && consumer.position(p) < ends.get(p));
  }

  @Override
  public void close() {
    consumer.close();
  }
}
