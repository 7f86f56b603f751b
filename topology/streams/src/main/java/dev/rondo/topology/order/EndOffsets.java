package dev.rondo.topology.order;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/**
 * End offsets of the source partitions at one moment.
 *
 * @param offsets offset after the last record of each partition
 * @param offline partitions without a leader; their ends are the last known ones, possibly too low
 * @param requestedMs monotonic clock of this process before the request was sent, ms: records
 *     written by then are before these ends
 */
public record EndOffsets(
    Map<TopicPartition, Long> offsets, Set<TopicPartition> offline, long requestedMs) {
  /** No end offsets are known yet. */
  public static final EndOffsets NONE = new EndOffsets(Map.of(), Long.MIN_VALUE);

  public EndOffsets {
    offsets = Map.copyOf(offsets);
    offline = Set.copyOf(offline);
  }

  /** Ends of partitions that all have a leader. */
  public EndOffsets(Map<TopicPartition, Long> offsets, long requestedMs) {
    this(offsets, Set.of(), requestedMs);
  }

  boolean areKnown() {
    return requestedMs != Long.MIN_VALUE;
  }

  /** End offset of a partition; 0 for a partition that did not exist. */
  long of(TopicPartition partition) {
    return offsets.getOrDefault(partition, 0L);
  }

  /**
   * Returns these ends and the last known ends of partitions without a leader.
   *
   * @param previous earlier end offsets
   */
  public EndOffsets with(Set<TopicPartition> withoutLeader, EndOffsets previous) {
    Map<TopicPartition, Long> all = new HashMap<>(offsets);
    withoutLeader.forEach(partition -> all.put(partition, previous.of(partition)));
    return new EndOffsets(all, withoutLeader, requestedMs);
  }
}
