package dev.rondo.topology.clients;

import dev.rondo.topology.decode.RecordBatch;
import dev.rondo.topology.decode.RecordTime;
import dev.rondo.topology.order.MergedPartitions;
import dev.rondo.topology.order.SourceProgress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The consumer of a stream thread. It hands on many records of a source as one, and where source
 * partitions are merged it tells how far each is read, and reads those first that are behind the
 * others.
 */
final class SourceConsumer extends KafkaConsumer<byte[], byte[]> {
  private final Predicate<String> sources;
  private final MergedPartitions merged;
  private final SourceProgress progress;
  private final SourceListing listing;

  /**
   * @param sources whether points are read from a topic
   * @param merged the source partitions that are merged
   * @param listing tells whether to look for partitions that nobody reads, or to end
   */
  SourceConsumer(
      Map<String, Object> config,
      Predicate<String> sources,
      MergedPartitions merged,
      SourceProgress progress,
      SourceListing listing) {
    super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    this.sources = sources;
    this.merged = merged;
    this.progress = progress;
    this.listing = listing;
  }

  @Override
  public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
    listing.refuseGrown();
    if (listing.takeUnread()) {
      enforceRebalance("source partitions that nobody reads");
    }
    return RecordBatch.join(
        merged.isMerging() ? pollEvenly(timeout) : super.poll(timeout), sources);
  }

  private ConsumerRecords<byte[], byte[]> pollEvenly(Duration timeout) {
    Set<TopicPartition> held =
        new HashSet<>(progress.ahead(assignedMerged(), System.currentTimeMillis()));
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

  private Set<TopicPartition> assignedMerged() {
    return assignment().stream()
        .filter(partition -> merged.includes(partition.topic()))
        .collect(Collectors.toSet());
  }

  private void watch(ConsumerRecords<byte[], byte[]> records) {
    long nowMs = System.currentTimeMillis();
    for (TopicPartition partition : assignedMerged()) {
      List<ConsumerRecord<byte[], byte[]>> read = records.records(partition);
      if (!read.isEmpty()) {
        long newestMs =
            read.stream().mapToLong(record -> RecordTime.of(record, nowMs)).max().orElseThrow();
        progress.read(partition, read.get(read.size() - 1).offset(), newestMs, nowMs);
      }
      progress.position(partition, position(partition), nowMs);
    }
  }
}
