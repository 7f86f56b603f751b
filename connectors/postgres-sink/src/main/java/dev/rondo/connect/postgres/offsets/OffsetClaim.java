package dev.rondo.connect.postgres.offsets;

import java.util.UUID;
import org.apache.kafka.common.TopicPartition;

/**
 * What a transaction says of a partition whose records it applies.
 *
 * <pre>
 *   applied before |   of this transaction   |
 *   ───────────────▼─────────────────────────▼────►  offsets
 *              expected                    next
 * </pre>
 *
 * @param topicId as {@link TopicLogs.Log#topicId}
 * @param entered whether the table has a row of it already, as far as the task knows
 * @param expected where the table must be; where there was no row, it is entered there
 * @param next where it is afterwards; not below {@code expected}, unless Kafka has gone back
 */
public record OffsetClaim(
    TopicPartition partition, UUID topicId, boolean entered, long expected, long next) {

  /** The same for a transaction that applies only a part of the records, and moves nothing. */
  public OffsetClaim held() {
    return new OffsetClaim(partition, topicId, entered, expected, expected);
  }
}
