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
 * Tells Kafka Streams of rebalances, and takes the error out of those during which a source topic
 * was missing. The leader of the group then assigns an error, for which Streams 4.3 throws: the
 * consumer would pass it the same assignment at each poll, and Streams would throw for all later
 * assignments, as it never clears the error. Not thread-safe.
 */
final class RebalanceErrors implements ConsumerRebalanceListener {
  private static final Logger LOG = LoggerFactory.getLogger(RebalanceErrors.class);

  private final ConsumerRebalanceListener streams;
  private final AtomicInteger assignmentError;
  private boolean hasFailed;
  private TaskMigratedException migrated;

  /**
   * @param streams the listener of Kafka Streams
   * @param assignmentError the error of the last assignment, as Kafka Streams keeps it
   */
  RebalanceErrors(ConsumerRebalanceListener streams, AtomicInteger assignmentError) {
    this.streams = streams;
    this.assignmentError = assignmentError;
  }

  /** Whether an error was assigned, so that the group must rebalance; true once for each. */
  boolean take() {
    boolean failed = hasFailed;
    hasFailed = false;
    return failed;
  }

  /**
   * Throws if the tasks of the thread must start again, as a commit failed when partitions were
   * revoked: Streams expects that of the poll, and the consumer would wrap it.
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
