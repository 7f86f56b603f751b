package dev.rondo.topology.lag;

import org.apache.kafka.common.TopicPartition;

/**
 * The arrival of a record in Kafka.
 *
 * @param partition partition of the record
 * @param atMs arrival by the clock of this instance, epoch ms
 */
public record Arrival(TopicPartition partition, long atMs) {
  /** Returns the earlier of two arrivals; null = none. */
  public static Arrival earlier(Arrival one, Arrival other) {
    return one == null || (other != null && other.atMs < one.atMs) ? other : one;
  }
}
