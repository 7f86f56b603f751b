package dev.rondo.tools.deadletters;

import dev.rondo.tools.command.CommandException;
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

/** Where letters are sent: to the topic and partition that they came from, if those are still. */
final class TargetTopics {
  private final Optional<String> to;
  private final Map<String, Integer> partitions;

  private TargetTopics(Optional<String> to, Map<String, Integer> partitions) {
    this.to = to;
    this.partitions = partitions;
  }

  /**
   * Asks Kafka for them.
   *
   * @param to topic for all letters instead of their own; empty = their own
   * @param own the letters' topics
   * @throws CommandException where {@code to} does not exist
   */
  static TargetTopics find(Admin admin, Optional<String> to, Collection<String> own)
      throws ExecutionException, InterruptedException {
    Collection<String> topics = to.<Collection<String>>map(Set::of).orElse(own);
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
      throw CommandException.misuse("there is no topic '%s' (--to)".formatted(to.get()));
    }
    return new TargetTopics(to, partitions);
  }

  boolean hasTopicOf(Candidate candidate) {
    return partitions.containsKey(topic(candidate.source().topic()));
  }

  private String topic(String own) {
    return to.orElse(own);
  }

  /** Its key decides on the partition where the one that it was in does not exist. */
  ProducerRecord<byte[], byte[]> record(DeadLetter letter) {
    String topic = topic(letter.source().topic());
    int partition = letter.source().partition();
    return new ProducerRecord<>(
        topic,
        partition < partitions.get(topic) ? partition : null,
        letter.key(),
        letter.value(),
        letter.headersToSend());
  }
}
