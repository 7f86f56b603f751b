package dev.rondo.connect.postgres.offsets;

import java.util.UUID;
import org.apache.kafka.common.TopicPartition;

/**
 * Offsets of a partition that a transaction expects in the table and leaves there.
 *
 * <pre>
 *   applied before |   of this transaction   |
 *   ───────────────▼─────────────────────────▼────►  offsets
 *              expected                    next
 * </pre>
 *
 * @param topicId as {@link TopicLogs.Log#topicId}
 * @param stored whether the table has a row of the partition already, as far as the task knows
 * @param expected offset that the table must have; a missing row is inserted with it
 * @param next offset that the table has afterwards; below {@code expected} only if Kafka went back
 */
public record OffsetClaim(
    TopicPartition partition, UUID topicId, boolean stored, long expected, long next) {

  /** The same claim for a transaction that applies only some of the records and moves nothing. */
  public OffsetClaim unmoved() {
    return new OffsetClaim(partition, topicId, stored, expected, expected);
  }
}
