package dev.rondo.topology.order;

import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * End offsets of the source partitions at one moment.
 *
 * @param offsets offset after the last record of each partition
 * @param requestedMs monotonic clock of this process before the request was sent, ms: records
 *     written by then are before these ends
 */
public record EndOffsets(Map<TopicPartition, Long> offsets, long requestedMs) {
  /** No end offsets are known yet. */
  public static final EndOffsets NONE = new EndOffsets(Map.of(), Long.MIN_VALUE);

  public EndOffsets {
    offsets = Map.copyOf(offsets);
  }

  boolean areKnown() {
    return requestedMs != Long.MIN_VALUE;
  }

  /** End offset of a partition; 0 for a partition that did not exist. */
  long of(TopicPartition partition) {
    return offsets.getOrDefault(partition, 0L);
  }
}
