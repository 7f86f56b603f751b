package dev.rondo.topology.clients;

import org.apache.kafka.clients.consumer.CommitFailedException;

/**
 * Refuses a commit, as a source topic has changed: what was read since the last commit may be of
 * another log, or in other partitions. Kafka Streams then starts all tasks of the thread again,
 * from what is committed.
 */
final class ChangedSourceException extends CommitFailedException {
  private static final long serialVersionUID = 1L;

  ChangedSourceException(String message) {
    super(message);
  }
}
