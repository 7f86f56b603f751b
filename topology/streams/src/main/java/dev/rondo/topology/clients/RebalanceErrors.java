package dev.rondo.topology.clients;

import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.errors.MissingSourceTopicException;
import org.apache.kafka.streams.errors.TaskMigratedException;
import org.apache.kafka.streams.processor.internals.assignment.AssignorError;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes rebalances to Kafka Streams, and clears the error of those with a missing source topic.
 * For such a rebalance the group leader assigns an error, and Streams 4.3 throws. It never clears
 * the error, so it would also throw for all later assignments. Not thread-safe.
 */
final class RebalanceErrors implements ConsumerRebalanceListener {
  private static final Logger LOG = LoggerFactory.getLogger(RebalanceErrors.class);

  private final ConsumerRebalanceListener streams;
  private final AtomicInteger assignmentError;
  private boolean hasFailed;
  private TaskMigratedException migrated;

  /**
   * @param streams listener of Kafka Streams
   * @param assignmentError error of the last assignment, shared with Kafka Streams
   */
  RebalanceErrors(ConsumerRebalanceListener streams, AtomicInteger assignmentError) {
    this.streams = streams;
    this.assignmentError = assignmentError;
  }

  /** Whether an error was assigned, so that the group must rebalance; true once per error. */
  boolean take() {
    boolean failed = hasFailed;
    hasFailed = false;
    return failed;
  }

  /**
   * Throws if a commit failed while partitions were revoked, so that the tasks of the thread
   * restart. Streams expects this exception from the poll; the consumer would wrap it.
   */
  void failIfMigrated() {
    if (migrated != null) {
      throw migrated;
    }
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    try {
      streams.onPartitionsAssigned(partitions);
    } catch (MissingSourceTopicException e) {
      LOG.info("A source topic was missing during a rebalance; rebalancing again");
      assignmentError.set(AssignorError.NONE.code());
      hasFailed = true;
    }
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    try {
      streams.onPartitionsRevoked(partitions);
    } catch (TaskMigratedException e) {
      migrated = e;
    }
  }

  @Override
  public void onPartitionsLost(Collection<TopicPartition> partitions) {
    streams.onPartitionsLost(partitions);
  }
}
