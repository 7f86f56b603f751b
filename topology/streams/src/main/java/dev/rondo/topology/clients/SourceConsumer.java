package dev.rondo.topology.clients;

import dev.rondo.topology.decode.RecordBatch;
import dev.rondo.topology.decode.RecordTime;
import dev.rondo.topology.lag.Fetched;
import dev.rondo.topology.order.MergedPartitions;
import dev.rondo.topology.order.SourceProgress;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.errors.TaskMigratedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The consumer of a stream thread. It joins source records ({@link RecordBatch}), and begins anew
 * where the log of a partition was replaced or cut ({@link SourceLogs}). For merged source
 * partitions it also records how far each is read, and pauses partitions that are ahead of others.
 */
final class SourceConsumer extends KafkaConsumer<byte[], byte[]> {
  private static final Logger LOG = LoggerFactory.getLogger(SourceConsumer.class);

  private final Predicate<String> sources;
  private final MergedPartitions merged;
  private final SourceProgress progress;
  private final PartitionDiscovery discovery;
  private final StaticMembers members;
  private final SourceLogs logs;
  private final Fetched fetched = new Fetched();

  /** The membership before {@link #unsubscribe}; null after the next poll. */
  private ConsumerGroupMetadata left;

  /**
   * @param sources whether points are read from a topic
   * @param merged the source partitions that are merged
   * @param discovery decides whether to rebalance for unassigned partitions, or to fail
   * @param members of the consumer group: this one fails if another process has replaced it
   * @param logs of the partitions that are read
   */
  SourceConsumer(
      Map<String, Object> config,
      Predicate<String> sources,
      MergedPartitions merged,
      SourceProgress progress,
      PartitionDiscovery discovery,
      StaticMembers members,
      SourceLogs logs) {
    super(withoutReset(config), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    this.sources = sources;
    this.merged = merged;
    this.progress = progress;
    this.discovery = discovery;
    this.members = members;
    this.logs = logs;
    progress.lag().add(fetched);
  }

  /**
   * A reset by the consumer itself would count nothing. Streams resets where nothing is committed.
   */
  private static Map<String, Object> withoutReset(Map<String, Object> config) {
    Map<String, Object> withoutReset = new HashMap<>(config);
    withoutReset.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    return withoutReset;
  }

  /** Streams asks for them before a task starts, and tries again after a timeout. */
  @Override
  public Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions) {
    Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>(super.committed(partitions));
    Set<TopicPartition> replaced = logs.begin(committed);
    replaced.retainAll(assignment());
    beginningOffsets(replaced)
        .forEach(
            (partition, begin) -> {
              logs.losses().deleted(partition, 0, begin);
              seek(partition, begin);
              committed.put(partition, null); // nor does the stream time apply
            });
    return committed;
  }

  @Override
  public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets) {
    super.commitSync(logs.withIds(offsets));
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
    failIfRecreated(assignment());
    ConsumerRecords<byte[], byte[]> read =
        merged.isMerging() ? pollInStep(timeout) : pollValid(timeout);
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
      ConsumerRecords<byte[], byte[]> records = pollValid(timeout);
      updateProgress(records);
      return records;
    } finally {
      Set<TopicPartition> stillAssigned = new HashSet<>(ahead);
      stillAssigned.retainAll(assignment());
      resume(stillAssigned);
    }
  }

  private void failIfRecreated(Collection<TopicPartition> partitions) {
    Set<String> recreated;
    try {
      recreated = logs.recreated(partitions);
    } catch (TimeoutException e) {
      return; // the next poll, or the commit, finds out
    }
    if (!recreated.isEmpty()) {
      throw new TaskMigratedException(
          "Source topics %s were deleted and created again".formatted(recreated));
    }
  }

  /** Polls; where the log does not have the position, the next poll reads where it goes on. */
  private ConsumerRecords<byte[], byte[]> pollValid(Duration timeout) {
    try {
      return super.poll(timeout);
    } catch (OffsetOutOfRangeException e) {
      Map<TopicPartition, Long> positions = new HashMap<>(e.offsetOutOfRangePartitions());
      positions.keySet().removeIf(partition -> !logs.includes(partition));
      if (positions.isEmpty()) {
        throw e; // Streams resets
      }
      try {
        seekToValid(positions, e);
      } catch (TimeoutException unavailable) {
        LOG.debug("Failed to find where partitions {} go on; retrying", positions, unavailable);
      }
      return ConsumerRecords.empty();
    }
  }

  private void seekToValid(Map<TopicPartition, Long> positions, OffsetOutOfRangeException cause) {
    committed(logs.unread(positions.keySet())) // seeks where the log was replaced before
        .forEach(
            (partition, offset) ->
                positions.computeIfPresent(partition, (p, at) -> offset == null ? null : at));
    Set<String> recreated = logs.recreatedNow(positions.keySet());
    if (!recreated.isEmpty()) {
      throw new TaskMigratedException(
          "Source topics %s were deleted and created again".formatted(recreated), cause);
    }
    Map<TopicPartition, Long> begins = beginningOffsets(positions.keySet());
    positions.forEach(
        (partition, position) ->
            seek(partition, valid(partition, position, begins.get(partition), cause)));
  }

  private long valid(
      TopicPartition partition, long position, long begin, OffsetOutOfRangeException cause) {
    if (position < begin) {
      logs.losses().deleted(partition, position, begin);
      return begin;
    }
    OffsetAndMetadata divergent =
        cause instanceof LogTruncationException truncation
            ? truncation.divergentOffsets().get(partition)
            : null;
    long next = divergent == null ? begin : divergent.offset();
    logs.losses().setBack(partition, position, next);
    return next;
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
      updatePosition(partition, nowMs);
    }
  }

  private void updatePosition(TopicPartition partition, long nowMs) {
    try {
      progress.position(partition, position(partition), nowMs);
    } catch (InvalidOffsetException e) {
      LOG.debug("Partition {} has no position before the next poll", partition, e);
    }
  }
}
