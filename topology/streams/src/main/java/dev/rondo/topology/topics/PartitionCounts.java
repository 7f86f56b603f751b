package dev.rondo.topology.topics;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Fetches the partition counts and ids of topics. */
public final class PartitionCounts {
  private PartitionCounts() {}

  /** Partition counts by topic; a topic that does not exist is omitted. */
  public static Map<String, Integer> of(Admin admin, Collection<String> topics)
      throws ExecutionException, InterruptedException {
    return of(describe(admin, topics));
  }

  /** Partition counts by topic. */
  public static Map<String, Integer> of(Map<String, TopicDescription> described) {
    Map<String, Integer> counts = new HashMap<>();
    described.forEach((topic, description) -> counts.put(topic, description.partitions().size()));
    return counts;
  }

  /** Ids by topic: a topic that is deleted and created again gets another one. */
  public static Map<String, Uuid> ids(Map<String, TopicDescription> described) {
    Map<String, Uuid> ids = new HashMap<>();
    described.forEach((topic, description) -> ids.put(topic, description.topicId()));
    return ids;
  }

  /** Describes topics; one that does not exist is omitted. */
  public static Map<String, TopicDescription> describe(Admin admin, Collection<String> topics)
      throws ExecutionException, InterruptedException {
    Map<String, TopicDescription> described = new HashMap<>();
    for (var topic : admin.describeTopics(topics).topicNameValues().entrySet()) {
      try {
        described.put(topic.getKey(), topic.getValue().get());
      } catch (ExecutionException e) {
        if (e.getCause() instanceof TopicAuthorizationException) { // which does not name the topic
          throw new ExecutionException(
              new TopicAuthorizationException(
                  "Not authorized to describe topic " + topic.getKey(), Set.of(topic.getKey())));
        }
        if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw e;
        }
      }
    }
    return described;
  }

  /** All partitions of topics with these counts. */
  public static Set<TopicPartition> partitions(Map<String, Integer> counts) {
    return counts.entrySet().stream()
        .flatMap(
            topic ->
                IntStream.range(0, topic.getValue())
                    .mapToObj(p -> new TopicPartition(topic.getKey(), p)))
        .collect(Collectors.toSet());
  }
}
