package dev.rondo.tools.deadletters.resend;

import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.deadletters.read.DeadLetter;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Maps dead letters to their target: the topic and partition that they came from, if those still
 * exist.
 */
final class TargetTopics {
  private final Optional<String> to;
  private final Map<String, Integer> partitions;

  private TargetTopics(Optional<String> to, Map<String, Integer> partitions) {
    this.to = to;
    this.partitions = partitions;
  }

  /**
   * Asks Kafka which target topics exist.
   *
   * @param to topic for all dead letters; empty = the one that each came from
   * @param sources topics that the dead letters came from
   * @throws CommandException if {@code to} does not exist
   */
  static TargetTopics find(Admin admin, Optional<String> to, Collection<String> sources)
      throws ExecutionException, InterruptedException {
    Collection<String> topics = to.<Collection<String>>map(Set::of).orElse(sources);
    Map<String, Integer> partitions = new HashMap<>();
    for (Map.Entry<String, KafkaFuture<TopicDescription>> topic :
        admin.describeTopics(topics).topicNameValues().entrySet()) {
      try {
        partitions.put(topic.getKey(), topic.getValue().get().partitions().size());
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw e;
        }
      }
    }
    if (to.isPresent() && partitions.isEmpty()) {
      throw CommandException.misuse("topic '%s' does not exist (--to)".formatted(to.get()));
    }
    return new TargetTopics(to, partitions);
  }

  boolean hasTopicOf(Candidate candidate) {
    return partitions.containsKey(topic(candidate.source().topic()));
  }

  private String topic(String source) {
    return to.orElse(source);
  }

  /**
   * The record to send. If the original partition does not exist, the key decides the partition.
   */
  ProducerRecord<byte[], byte[]> record(DeadLetter deadLetter) {
    String topic = topic(deadLetter.source().topic());
    int partition = deadLetter.source().partition();
    return new ProducerRecord<>(
        topic,
        partition < partitions.get(topic) ? partition : null,
        deadLetter.key(),
        deadLetter.value(),
        deadLetter.headersToSend());
  }
}
