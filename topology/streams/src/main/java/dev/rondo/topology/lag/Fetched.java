package dev.rondo.topology.lag;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * How far a consumer has read its assigned partitions. Its thread updates it, any thread reads it.
 */
public final class Fetched {
  /**
   * How far a partition was read.
   *
   * @param position offset to read next; -1 = unknown
   * @param offset offset of the last record; -1 = none yet
   * @param recordMs timestamp of the last record, epoch ms; -1 = none yet
   */
  record Position(long position, long offset, long recordMs) {}

  private final Map<TopicPartition, Position> positions = new ConcurrentHashMap<>();

  public <K, V> void update(Consumer<K, V> consumer, ConsumerRecords<K, V> read) {
    Collection<TopicPartition> assigned = consumer.assignment();
    positions.keySet().retainAll(assigned);
    for (TopicPartition partition : assigned) {
      update(partition, consumer, read.records(partition));
    }
  }

  private <K, V> void update(
      TopicPartition partition, Consumer<K, V> consumer, List<ConsumerRecord<K, V>> read) {
    long position = position(partition, consumer);
    if (read.isEmpty()) {
      moved(partition, position);
    } else {
      ConsumerRecord<K, V> last = read.get(read.size() - 1);
      read(partition, new Position(position, last.offset(), last.timestamp()));
    }
  }

  void read(TopicPartition partition, Position now) {
    positions.put(partition, now);
  }

  /** Updates a position without a record: the start, or past a gap. */
  void moved(TopicPartition partition, long position) {
    Position before = positions.get(partition);
    if (before == null) {
      positions.put(partition, new Position(position, -1, -1));
    } else if (position > before.position) {
      positions.put(partition, new Position(position, before.offset, before.recordMs));
    }
  }

  /** Returns the position; -1 while it is unknown, before the first record. */
  private static long position(TopicPartition partition, Consumer<?, ?> consumer) {
    try {
      return consumer.position(partition, Duration.ZERO);
    } catch (TimeoutException | InvalidOffsetException e) {
      return -1;
    }
  }

  Map<TopicPartition, Position> positions() {
    return positions;
  }
}
