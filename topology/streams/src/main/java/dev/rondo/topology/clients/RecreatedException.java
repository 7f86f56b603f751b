package dev.rondo.topology.clients;

import java.util.Set;
import org.apache.kafka.clients.consumer.CommitFailedException;

/**
 * Refuses a commit, as a topic was deleted and created again: what was read since the last commit
 * may be of either log. Kafka Streams then starts all tasks of the thread again, from what is
 * committed.
 */
final class RecreatedException extends CommitFailedException {
  private static final long serialVersionUID = 1L;

  RecreatedException(Set<String> topics) {
    super("source topics %s were deleted and created again".formatted(topics));
  }
}
