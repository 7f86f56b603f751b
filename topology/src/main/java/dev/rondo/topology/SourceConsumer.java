package dev.rondo.topology;

import dev.rondo.topology.order.SourceProgress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The consumer of a stream thread: tells how far each source partition is read, and reads those
 * first that are behind the others.
 */
final class SourceConsumer extends KafkaConsumer<byte[], byte[]> {
  private final Set<String> sources;
  private final SourceProgress progress;

  SourceConsumer(Map<String, Object> config, Set<String> sources, SourceProgress progress) {
    super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    this.sources = sources;
    this.progress = progress;
  }

  @Override
  public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
    Set<TopicPartition> held =
        new HashSet<>(progress.ahead(assignedSources(), System.currentTimeMillis()));
    held.removeAll(paused()); // Streams pauses too, and resumes those itself
    pause(held);
    try {
      ConsumerRecords<byte[], byte[]> records = super.poll(timeout);
      watch(records);
      return records;
    } finally {
      Set<TopicPartition> stillOurs = new HashSet<>(held);
      stillOurs.retainAll(assignment());
      resume(stillOurs);
    }
  }

  private Set<TopicPartition> assignedSources() {
    return assignment().stream()
        .filter(partition -> sources.contains(partition.topic()))
        .collect(Collectors.toSet());
  }

  private void watch(ConsumerRecords<byte[], byte[]> records) {
    long nowMs = System.currentTimeMillis();
    for (TopicPartition partition : assignedSources()) {
      List<ConsumerRecord<byte[], byte[]>> read = records.records(partition);
      if (!read.isEmpty()) {
        ConsumerRecord<byte[], byte[]> last = read.get(read.size() - 1);
        progress.read(partition, last.offset(), RecordTime.of(last, nowMs), nowMs);
      }
      progress.position(partition, position(partition), nowMs);
    }
  }
}
