package dev.rondo.topology.lag;

import org.apache.kafka.common.TopicPartition;

/**
 * The arrival of a record in Kafka.
 *
 * @param partition of its topic
 * @param atMs when it arrived, epoch ms of this instance
 */
public record Arrival(TopicPartition partition, long atMs) {
  /** The earlier of two; null = none. */
  public static Arrival earlier(Arrival one, Arrival other) {
    return one == null || (other != null && other.atMs < one.atMs) ? other : one;
  }
}
