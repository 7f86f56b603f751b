package dev.rondo.tools.replay;

import java.util.OptionalLong;
import org.apache.kafka.common.TopicPartition;

/**
 * Where the topology is in a partition.
 *
 * @param committed offset it goes on with; empty where it has read nothing
 * @param beginning first offset that is still there
 * @param end offset behind the last record
 */
record SourceOffset(TopicPartition partition, OptionalLong committed, long beginning, long end) {
  /** Offset that it would go on with now: the first, where it has read nothing. */
  long next() {
    return Math.min(end, Math.max(beginning, committed.orElse(beginning)));
  }

  /** Records that it has yet to read, gaps included. */
  long left() {
    return end - next();
  }

  boolean isBehind() {
    return next() < end;
  }
}
