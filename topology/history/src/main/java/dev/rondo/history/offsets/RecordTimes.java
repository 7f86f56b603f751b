package dev.rondo.history.offsets;

import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.order.SourceHeaders;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerConfig;
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

  /** A fetch at the end of a partition delays the next one at another offset. */
  private static final int FETCH_WAIT_MS = 20;

  /** Records that are read at one offset to find out whether an earlier time follows. */
  static final int WINDOW = 100;

  private final KafkaConsumer<byte[], byte[]> consumer;

  public RecordTimes(TopologyConfig config) {
    Map<String, Object> properties = new HashMap<>(config.reader());
    properties.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_WAIT_MS);
    consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
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
   * Offsets after which no record has a time before {@code timeMs}. Kafka finds the first record
   * with a later one, but a clock that was ahead for a while has written that too early. So records
   * are read at growing distances after it, and around the last of these with an earlier time.
   *
   * @param firstLater offset of the first record with this time or a later one
   * @param ends end offsets
   */
  public Map<TopicPartition, Long> noneBefore(
      Map<TopicPartition, Long> firstLater, Map<TopicPartition, Long> ends, long timeMs) {
    Map<TopicPartition, Long> after = new HashMap<>(firstLater); // the last with an earlier time
    Map<TopicPartition, Long> none = new HashMap<>(ends); // the next one examined
    for (long distance = 0; ; distance = Math.max(WINDOW, 2 * distance)) {
      Map<TopicPartition, Long> looked = new HashMap<>();
      for (Map.Entry<TopicPartition, Long> first : firstLater.entrySet()) {
        if (first.getValue() + distance < ends.get(first.getKey())) {
          looked.put(first.getKey(), first.getValue() + distance);
        }
      }
      if (looked.isEmpty()) {
        return bisect(after, none, timeMs);
      }
      Set<TopicPartition> haveEarlier = haveBefore(looked, timeMs);
      looked.forEach(
          (partition, offset) -> {
            if (haveEarlier.contains(partition)) {
              after.put(partition, offset);
              none.put(partition, ends.get(partition));
            } else if (none.get(partition).equals(ends.get(partition))) {
              none.put(partition, offset);
            }
          });
    }
  }

  private Map<TopicPartition, Long> bisect(
      Map<TopicPartition, Long> after, Map<TopicPartition, Long> none, long timeMs) {
    while (true) {
      Map<TopicPartition, Long> middles = new HashMap<>();
      after.forEach(
          (partition, offset) -> {
            if (none.get(partition) - offset > WINDOW) {
              middles.put(partition, (offset + none.get(partition)) / 2);
            }
          });
      if (middles.isEmpty()) {
        return none;
      }
      Set<TopicPartition> haveEarlier = haveBefore(middles, timeMs);
      middles.forEach(
          (partition, offset) ->
              (haveEarlier.contains(partition) ? after : none).put(partition, offset));
    }
  }

  /** Partitions with an earlier time among the next {@link #WINDOW} records at these offsets. */
  private Set<TopicPartition> haveBefore(Map<TopicPartition, Long> offsets, long timeMs) {
    Set<TopicPartition> have = new HashSet<>();
    read(
        offsets,
        record -> {
          TopicPartition partition = new TopicPartition(record.topic(), record.partition());
          boolean isInWindow = record.offset() < offsets.get(partition) + WINDOW;
          if (isInWindow && record.timestamp() < timeMs) {
            have.add(partition);
          }
          if (!isInWindow || have.contains(partition)) {
            consumer.pause(List.of(partition));
          }
        });
    return have;
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
