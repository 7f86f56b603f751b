package dev.rondo.topology.order;

import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * Where the source partitions ended at one moment.
 *
 * @param offsets behind the last record
 * @param askedMs before the question was sent, by a clock of this process that only goes forward,
 *     ms: all records written by then are before these ends
 */
public record EndOffsets(Map<TopicPartition, Long> offsets, long askedMs) {
  /** Nothing is known yet. */
  public static final EndOffsets NONE = new EndOffsets(Map.of(), Long.MIN_VALUE);

  public EndOffsets {
    offsets = Map.copyOf(offsets);
  }

  boolean areKnown() {
    return askedMs != Long.MIN_VALUE;
  }

  /** The end of a partition; 0 where it was not there. */
  long of(TopicPartition partition) {
    return offsets.getOrDefault(partition, 0L);
  }
}
