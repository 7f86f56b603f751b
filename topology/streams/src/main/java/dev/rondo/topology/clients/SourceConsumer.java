package dev.rondo.topology.clients;

import dev.rondo.topology.decode.RecordBatch;
import dev.rondo.topology.decode.RecordTime;
import dev.rondo.topology.lag.Fetched;
import dev.rondo.topology.order.MergedPartitions;
import dev.rondo.topology.order.SourceProgress;
import dev.rondo.topology.source.Source;
import dev.rondo.topology.source.SourceRules;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.StreamsConfig.InternalConfig;
import org.apache.kafka.streams.errors.TaskMigratedException;
import org.apache.kafka.streams.processor.internals.assignment.ReferenceContainer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Consumer of a stream thread. It joins source records ({@link RecordBatch}), and restarts reading
 * where the log of a partition was replaced or truncated ({@link SourceLogs}). For merged source
 * partitions it also records the progress, and pauses those ahead of others.
 */
final class SourceConsumer extends KafkaConsumer<byte[], byte[]> {
  private static final Logger LOG = LoggerFactory.getLogger(SourceConsumer.class);

  /** Short, as a topic may be deleted meanwhile; the request is retried. */
  private static final Duration BEGINS_TIMEOUT = Duration.ofSeconds(5);

  private final SourceRules rules;
  private final MergedPartitions merged;
  private final SourceProgress progress;
  private final PartitionDiscovery discovery;
  private final StaticMembers members;
  private final SourceLogs logs;
  private final Set<String> own;
  private final AtomicInteger assignmentError;
  private final Fetched fetched = new Fetched();

  /** Subscribed topics; null before the first subscription. */
  private Set<String> subscribed;

  private RebalanceErrors rebalances;

  /**
   * Whether to rebalance for new topics: a returning static member gets only its previous
   * partitions.
   */
  private boolean mustRejoin;

  /** Failure left to the next poll; null if none. */
  private OffsetOutOfRangeException outOfRange;

  /** The membership before {@link #unsubscribe}; null after the next poll. */
  private ConsumerGroupMetadata left;

  SourceConsumer(Map<String, Object> config, InstanceClients instance) {
    super(withoutReset(config), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    this.rules = instance.rules();
    this.merged = instance.merged();
    this.progress = instance.progress();
    this.discovery = instance.discovery();
    this.members = instance.members();
    this.logs = instance.logs();
    this.own = instance.own();
    this.assignmentError =
        ((ReferenceContainer) config.get(InternalConfig.REFERENCE_CONTAINER_PARTITION_ASSIGNOR))
            .assignmentErrorCode;
    progress.lag().add(fetched);
  }

  /**
   * Disables resets by the consumer, which would not count lost records. Streams resets partitions
   * without committed offsets.
   */
  private static Map<String, Object> withoutReset(Map<String, Object> config) {
    Map<String, Object> withoutReset = new HashMap<>(config);
    withoutReset.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    return withoutReset;
  }

  /** Streams calls this before a task starts, and retries after a timeout. */
  @Override
  public Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions) {
    Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>(super.committed(partitions));
    Set<TopicPartition> replaced = logs.begin(committed);
    replaced.retainAll(assignment());
    beginningOffsets(replaced, BEGINS_TIMEOUT)
        .forEach(
            (partition, begin) -> {
              logs.losses().deleted(partition, 0, begin);
              seek(partition, begin);
              committed.put(partition, null); // its stream time does not apply either
            });
    return committed;
  }

  /** Does not wait, as a deleted topic has no position. Streams retries. */
  @Override
  public long position(TopicPartition partition) {
    return position(partition, Duration.ZERO);
  }

  /** Leaves a position that the log does not have to the next poll. */
  @Override
  public long position(TopicPartition partition, Duration timeout) {
    try {
      return super.position(partition, timeout);
    } catch (OffsetOutOfRangeException e) { // the consumer throws it once
      outOfRange = e;
      throw new TimeoutException("The log does not have the position of " + partition, e);
    }
  }

  @Override
  public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets) {
    super.commitSync(discovery.committable(offsets));
  }

  /** Subscribes only to the topics that are read, instead of the pattern of Streams. */
  @Override
  public void subscribe(Pattern topics, ConsumerRebalanceListener listener) {
    rebalances = new RebalanceErrors(listener, assignmentError);
    Set<String> before = subscribed;
    subscribed = topics();
    mustRejoin |= before != null && !before.containsAll(subscribed);
    super.subscribe(subscribed, rebalances);
  }

  private Set<String> topics() {
    Set<String> topics = new HashSet<>(own);
    topics.addAll(discovery.read());
    return topics;
  }

  /** Streams unsubscribes and subscribes again after its producer or this consumer was fenced. */
  @Override
  public void unsubscribe() {
    left = groupMetadata();
    super.unsubscribe();
  }

  @Override
  public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
    if (left != null) {
      members.failIfReplaced(left);
      left = null;
    }
    if (discovery.takeRebalanceRequest()) {
      enforceRebalance("source partitions are assigned to no instance");
    }
    followSources();
    failIfRecreated(assignment());
    Set<TopicPartition> before = assignment();
    ConsumerRecords<byte[], byte[]> read =
        merged.isMerging() ? pollInStep(timeout) : pollValid(timeout);
    rebalances.failIfMigrated();
    failIfShrunk(before);
    if (rebalances.take()) {
      if (!before.isEmpty()) { // Streams has suspended its tasks and would fail
        throw new TaskMigratedException("A source topic was missing during a rebalance");
      }
      enforceRebalance("a source topic was missing during a rebalance");
    } else if (mustRejoin && !assignment().isEmpty()) {
      mustRejoin = false;
      enforceRebalance("source topics were added");
    }
    fetched.update(this, read);
    return RecordBatch.join(read, this::isSource, System.currentTimeMillis());
  }

  @Override
  public void close(CloseOptions option) {
    progress.lag().remove(fetched);
    super.close(option);
  }

  private ConsumerRecords<byte[], byte[]> pollInStep(Duration timeout) {
    Set<TopicPartition> ahead =
        new HashSet<>(progress.ahead(assignedMerged(), OffsetPoller.nowMs()));
    ahead.removeAll(paused()); // Streams resumes those that it pauses
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

  private boolean isSource(String topic) {
    return rules.of(topic).isPresent();
  }

  /**
   * Subscribes to the sources that are now read. Restarts the tasks of the thread if one has lost a
   * topic, or was built without any keyed source: Streams 4.3 cannot change such tasks.
   */
  private void followSources() {
    Set<String> topics = topics();
    if (topics.equals(subscribed)) {
      return;
    }
    boolean leaves = assignment().stream().anyMatch(p -> !topics.contains(p.topic()));
    if (!assignment().isEmpty() && (leaves || beginsKeyed(topics))) {
      throw new TaskMigratedException(
          "Topics %s are read, previously %s".formatted(topics, subscribed));
    }
    subscribed = topics;
    super.subscribe(topics, rebalances);
  }

  private boolean beginsKeyed(Set<String> topics) {
    return topics.stream().anyMatch(this::isKeyed) && subscribed.stream().noneMatch(this::isKeyed);
  }

  /**
   * Restarts the tasks of the thread if one has lost only some of its source partitions, because
   * another instance noticed first that a source is gone. Streams 4.3 would fail at the next commit
   * of that task.
   */
  private void failIfShrunk(Set<TopicPartition> before) {
    Set<TopicPartition> now = assignment();
    for (TopicPartition gone : before) {
      if (!now.contains(gone)
          && isSource(gone.topic())
          && now.stream().anyMatch(stays -> areOfOneTask(gone, stays))) {
        throw new TaskMigratedException("Partition %s is no longer read".formatted(gone));
      }
    }
  }

  private boolean areOfOneTask(TopicPartition source, TopicPartition other) {
    boolean isOtherKeyed = isKeyed(other.topic()) || !logs.includes(other); // by-series
    return source.partition() == other.partition()
        && (isKeyed(source.topic()) ? isOtherKeyed : isSource(other.topic()) && !isOtherKeyed);
  }

  private boolean isKeyed(String topic) {
    return rules.of(topic).filter(Source::isKeyed).isPresent();
  }

  private void failIfRecreated(Collection<TopicPartition> partitions) {
    Set<String> recreated;
    try {
      recreated = logs.recreated(partitions);
    } catch (TimeoutException e) {
      return; // the next poll or commit retries
    }
    if (!recreated.isEmpty()) {
      throw new TaskMigratedException(
          "Source topics %s were deleted and created again".formatted(recreated));
    }
  }

  /** Polls. If the log does not have a position, seeks to where the next poll can continue. */
  private ConsumerRecords<byte[], byte[]> pollValid(Duration timeout) {
    try {
      failIfOutOfRange();
      return super.poll(timeout);
    } catch (TopicAuthorizationException e) {
      if (!e.unauthorizedTopics().stream().allMatch(this::isSource)) {
        throw e;
      }
      LOG.debug("Not authorized to read {}; discovery sets them aside", e.unauthorizedTopics());
      return ConsumerRecords.empty();
    } catch (OffsetOutOfRangeException e) {
      Map<TopicPartition, Long> positions = new HashMap<>(e.offsetOutOfRangePartitions());
      positions.keySet().removeIf(partition -> !logs.includes(partition));
      if (positions.isEmpty()) {
        throw e; // Streams resets
      }
      try {
        seekToValid(positions, e);
      } catch (TimeoutException unavailable) {
        LOG.debug("Failed to find valid positions for {}; retrying", positions, unavailable);
      }
      return ConsumerRecords.empty();
    }
  }

  private void failIfOutOfRange() {
    OffsetOutOfRangeException left = outOfRange;
    outOfRange = null;
    if (left != null) {
      throw left;
    }
  }

  private void seekToValid(Map<TopicPartition, Long> positions, OffsetOutOfRangeException cause) {
    committed(logs.unread(positions.keySet())); // seeks if the log was replaced before
    positions.entrySet().removeIf(position -> hasMoved(position.getKey(), position.getValue()));
    Set<String> recreated = logs.recreatedNow(positions.keySet());
    if (!recreated.isEmpty()) {
      throw new TaskMigratedException(
          "Source topics %s were deleted and created again".formatted(recreated), cause);
    }
    Map<TopicPartition, Long> begins = beginningOffsets(positions.keySet(), BEGINS_TIMEOUT);
    positions.forEach(
        (partition, position) ->
            seek(partition, valid(partition, position, begins.get(partition), cause)));
  }

  /** Whether the partition has left a position, after an assignment or a seek. */
  private boolean hasMoved(TopicPartition partition, long from) {
    try {
      return !assignment().contains(partition) || super.position(partition, Duration.ZERO) != from;
    } catch (TimeoutException | InvalidOffsetException e) {
      return false; // its position is still invalid
    }
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
    } catch (TimeoutException | InvalidOffsetException e) {
      LOG.debug("Partition {} has no position before the next poll", partition, e);
    }
  }
}
