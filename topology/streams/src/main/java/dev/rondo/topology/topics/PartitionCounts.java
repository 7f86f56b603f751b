package dev.rondo.topology.topics;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Fetches the partition counts of topics. */
public final class PartitionCounts {
  private PartitionCounts() {}

  /** Partition counts by topic; a topic that does not exist is omitted. */
  public static Map<String, Integer> of(Admin admin, Collection<String> topics)
      throws ExecutionException, InterruptedException {
    Map<String, Integer> counts = new HashMap<>();
    for (var topic : admin.describeTopics(topics).topicNameValues().entrySet()) {
      try {
        counts.put(topic.getKey(), topic.getValue().get().partitions().size());
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
    return counts;
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
