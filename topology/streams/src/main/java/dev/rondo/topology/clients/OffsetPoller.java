package dev.rondo.topology.clients;

import dev.rondo.topology.access.RefusalLog;
import dev.rondo.topology.order.EndOffsets;
import dev.rondo.topology.order.MergedPartitions;
import dev.rondo.topology.order.SourceProgress;
import dev.rondo.topology.topics.PartitionCounts;
import dev.rondo.topology.topics.RondoTopics;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.internals.TopicPartitionMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls the broker four times a second for the source partitions, their end offsets and the
 * committed offsets of all instances.
 */
public final class OffsetPoller implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OffsetPoller.class);
  private static final long PERIOD_MS = 250;

  /**
   * Longer, as committed offsets change once per commit interval and a request for them costs more.
   */
  private static final long COMMITTED_PERIOD_MS = 1_000;

  /** Longer, as without a merge only the lag needs the end offsets. */
  private static final long UNMERGED_PERIOD_MS = 1_000;

  /** How long Kafka retries if a partition is deleted after it was listed. */
  private static final int TIMEOUT_MS = 5_000;

  private final Admin admin;
  private final String applicationId;
  private final PartitionDiscovery discovery;
  private final MergedPartitions merged;
  private final SourceProgress progress;
  private final RefusalLog refusals;
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(OffsetPoller::daemon);

  /** When the committed offsets were last requested, by the monotonic clock, ms. */
  private long committedMs = nowMs() - COMMITTED_PERIOD_MS;

  /** When the end offsets were last requested, by the monotonic clock, ms. */
  private long endsMs = nowMs() - UNMERGED_PERIOD_MS;

  private Set<TopicPartition> bySeries = Set.of();

  private OffsetPoller(
      Admin admin,
      String applicationId,
      PartitionDiscovery discovery,
      MergedPartitions merged,
      SourceProgress progress,
      RefusalLog refusals) {
    this.admin = admin;
    this.applicationId = applicationId;
    this.discovery = discovery;
    this.merged = merged;
    this.progress = progress;
    this.refusals = refusals;
  }

  /**
   * Starts polling. Until the first response all end offsets are 0, so merges release nothing.
   *
   * @param applicationId consumer group of the instances
   */
  @SuppressWarnings("FutureReturnValueIgnored") // poll catches its exceptions
  public static OffsetPoller start(
      Admin admin,
      String applicationId,
      PartitionDiscovery discovery,
      MergedPartitions merged,
      SourceProgress progress,
      RefusalLog refusals) {
    OffsetPoller poller =
        new OffsetPoller(admin, applicationId, discovery, merged, progress, refusals);
    progress.lag().bySeries(RondoTopics.bySeries(applicationId));
    progress.ends(new EndOffsets(Map.of(), nowMs()));
    poller.executor.scheduleWithFixedDelay(poller::poll, 0, PERIOD_MS, TimeUnit.MILLISECONDS);
    return poller;
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "offsets");
    thread.setDaemon(true);
    return thread;
  }

  /** Returns the monotonic clock of this process, ms. */
  public static long nowMs() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }

  private void poll() {
    long requestedMs = nowMs();
    try {
      // first, so that the end offsets cover all partitions that existed at that time
      discovery.run(requestedMs);
      if (merged.isMerging() || requestedMs - endsMs >= UNMERGED_PERIOD_MS) {
        endsMs = requestedMs;
        updateEnds(requestedMs);
      }
      if (merged.isMerging() && requestedMs - committedMs >= COMMITTED_PERIOD_MS) {
        committedMs = requestedMs;
        updateCommitted();
      }
      refusals.succeeded();
    } catch (ExecutionException | RuntimeException e) {
      refusals.failed(e);
      LOG.debug("Failed to fetch offsets; retrying in {} ms", PERIOD_MS, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void updateEnds(long requestedMs) throws ExecutionException, InterruptedException {
    long wallMs = System.currentTimeMillis();
    Set<TopicPartition> merging = merged.partitions();
    Set<TopicPartition> wanted = new HashSet<>(merging);
    wanted.addAll(discovery.partitions());
    wanted.addAll(bySeries());
    wanted.removeAll(discovery.withoutLeader()); // would fail the whole request
    Map<TopicPartition, Long> ends = ends(wanted);
    progress.lag().see(ends, wallMs);
    if (merged.isMerging()) {
      ends.keySet().retainAll(merging);
      Set<TopicPartition> offline = new HashSet<>(discovery.withoutLeader());
      offline.retainAll(merging);
      progress.ends(new EndOffsets(ends, requestedMs).with(offline, progress.ends()));
    }
  }

  /** Kafka Streams creates the topic at its first start, and never adds partitions. */
  private Set<TopicPartition> bySeries() throws ExecutionException, InterruptedException {
    if (bySeries.isEmpty()) {
      String topic = RondoTopics.bySeries(applicationId);
      bySeries = PartitionCounts.partitions(PartitionCounts.of(admin, Set.of(topic)));
    }
    return bySeries;
  }

  private Map<TopicPartition, Long> ends(Set<TopicPartition> partitions)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetSpec> request = new HashMap<>();
    partitions.forEach(partition -> request.put(partition, OffsetSpec.latest()));
    Map<TopicPartition, Long> offsets = new HashMap<>();
    admin
        .listOffsets(
            request, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED).timeoutMs(TIMEOUT_MS))
        .all()
        .get()
        .forEach((partition, end) -> offsets.put(partition, end.offset()));
    return offsets;
  }

  /** Kafka Streams commits the stream time of a partition in the metadata of its offset. */
  private void updateCommitted() throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetAndMetadata> committed =
        admin.listConsumerGroupOffsets(applicationId).partitionsToOffsetAndMetadata().get();
    long nowMs = nowMs();
    for (TopicPartition partition : merged.partitions()) {
      OffsetAndMetadata offset = committed.get(partition);
      if (offset != null) {
        long streamTimeMs = TopicPartitionMetadata.decode(offset.metadata()).partitionTime();
        progress.committed(partition, offset.offset(), streamTimeMs, nowMs);
      }
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
