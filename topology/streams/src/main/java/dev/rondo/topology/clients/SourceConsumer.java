package dev.rondo.topology.clients;

import dev.rondo.topology.decode.RecordBatch;
import dev.rondo.topology.decode.RecordTime;
import dev.rondo.topology.lag.Fetched;
import dev.rondo.topology.order.MergedPartitions;
import dev.rondo.topology.order.SourceProgress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The consumer of a stream thread. It joins source records ({@link RecordBatch}). For merged source
 * partitions it also records how far each is read, and pauses partitions that are ahead of others.
 */
final class SourceConsumer extends KafkaConsumer<byte[], byte[]> {
  private final Predicate<String> sources;
  private final MergedPartitions merged;
  private final SourceProgress progress;
  private final PartitionDiscovery discovery;
  private final StaticMembers members;
  private final Fetched fetched = new Fetched();

  /** The membership before {@link #unsubscribe}; null after the next poll. */
  private ConsumerGroupMetadata left;

  /**
   * @param sources whether points are read from a topic
   * @param merged the source partitions that are merged
   * @param discovery decides whether to rebalance for unassigned partitions, or to fail
   * @param members of the consumer group: this one fails if another process has replaced it
   */
  SourceConsumer(
      Map<String, Object> config,
      Predicate<String> sources,
      MergedPartitions merged,
      SourceProgress progress,
      PartitionDiscovery discovery,
      StaticMembers members) {
    super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    this.sources = sources;
    this.merged = merged;
    this.progress = progress;
    this.discovery = discovery;
    this.members = members;
    progress.lag().add(fetched);
  }

  /** Streams unsubscribes, and subscribes again, after its producer or this consumer was fenced. */
  @Override
  public void unsubscribe() {
    left = groupMetadata();
    super.unsubscribe();
  }

  @Override
  public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
    discovery.failIfGrown();
    if (left != null) {
      members.failIfReplaced(left);
      left = null;
    }
    if (discovery.takeRebalanceRequest()) {
      enforceRebalance("source partitions are assigned to no instance");
    }
    ConsumerRecords<byte[], byte[]> read =
        merged.isMerging() ? pollInStep(timeout) : super.poll(timeout);
    fetched.update(this, read);
    return RecordBatch.join(read, sources, System.currentTimeMillis());
  }

  @Override
  public void close(CloseOptions option) {
    progress.lag().remove(fetched);
    super.close(option);
  }

  private ConsumerRecords<byte[], byte[]> pollInStep(Duration timeout) {
    Set<TopicPartition> ahead =
        new HashSet<>(progress.ahead(assignedMerged(), OffsetPoller.nowMs()));
    ahead.removeAll(paused()); // Streams pauses partitions too, and resumes those itself
    pause(ahead);
    try {
      ConsumerRecords<byte[], byte[]> records = super.poll(timeout);
      updateProgress(records);
      return records;
    } finally {
      Set<TopicPartition> stillAssigned = new HashSet<>(ahead);
      stillAssigned.retainAll(assignment());
      resume(stillAssigned);
    }
  }

  private Set<TopicPartition> assignedMerged() {
    return assignment().stream()
        .filter(partition -> merged.includes(partition.topic()))
        .collect(Collectors.toSet());
  }

  private void updateProgress(ConsumerRecords<byte[], byte[]> records) {
    long wallMs = System.currentTimeMillis();
    long nowMs = OffsetPoller.nowMs();
    for (TopicPartition partition : assignedMerged()) {
      List<ConsumerRecord<byte[], byte[]>> read = records.records(partition);
      if (!read.isEmpty()) {
        long newestMs =
            read.stream().mapToLong(record -> RecordTime.of(record, wallMs)).max().orElseThrow();
        progress.read(partition, read.get(read.size() - 1).offset(), newestMs, nowMs);
      }
      progress.position(partition, position(partition), nowMs);
    }
  }
}
