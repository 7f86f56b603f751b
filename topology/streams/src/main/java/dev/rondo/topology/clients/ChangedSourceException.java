package dev.rondo.topology.clients;

import org.apache.kafka.clients.consumer.CommitFailedException;

/**
 * Rejects a commit because a source topic has changed: records since the last commit may come from
 * another log or other partitions. Kafka Streams then restarts all tasks of the thread from the
 * committed offsets.
 */
final class ChangedSourceException extends CommitFailedException {
  private static final long serialVersionUID = 1L;

  ChangedSourceException(String message) {
    super(message);
  }
}
