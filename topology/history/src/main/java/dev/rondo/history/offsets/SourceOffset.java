package dev.rondo.history.offsets;

import java.util.OptionalLong;
import org.apache.kafka.common.TopicPartition;

/**
 * How far the topology has read a source partition.
 *
 * @param committed offset to continue from; empty if it has read nothing
 * @param beginning first offset that Kafka holds
 * @param end offset behind the last record
 */
public record SourceOffset(
    TopicPartition partition, OptionalLong committed, long beginning, long end) {
  /** Offset from which it would continue now: the first, if it has read nothing. */
  public long next() {
    return Math.min(end, Math.max(beginning, committed.orElse(beginning)));
  }

  /** Number of unread records, gaps included. */
  public long left() {
    return end - next();
  }

  public boolean isBehind() {
    return next() < end;
  }
}
