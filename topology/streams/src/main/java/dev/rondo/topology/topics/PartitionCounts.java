package dev.rondo.topology.topics;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Describes topics: partition counts, ids and leaders. */
public final class PartitionCounts {
  private PartitionCounts() {}

  /** Fetches partition counts by topic; missing topics are omitted. */
  public static Map<String, Integer> of(Admin admin, Collection<String> topics)
      throws ExecutionException, InterruptedException {
    return of(describe(admin, topics));
  }

  /** Returns partition counts by topic. */
  public static Map<String, Integer> of(Map<String, TopicDescription> described) {
    Map<String, Integer> counts = new HashMap<>();
    described.forEach((topic, description) -> counts.put(topic, description.partitions().size()));
    return counts;
  }

  /** Returns ids by topic; a recreated topic has another id. */
  public static Map<String, Uuid> ids(Map<String, TopicDescription> described) {
    Map<String, Uuid> ids = new HashMap<>();
    described.forEach((topic, description) -> ids.put(topic, description.topicId()));
    return ids;
  }

  /** Returns the partitions without a leader: no broker with a replica is alive. */
  public static Set<TopicPartition> withoutLeader(Map<String, TopicDescription> described) {
    Set<TopicPartition> withoutLeader = new HashSet<>();
    described.forEach(
        (topic, description) ->
            description.partitions().stream()
                .filter(partition -> partition.leader() == null || partition.leader().isEmpty())
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .forEach(withoutLeader::add));
    return withoutLeader;
  }

  private static Map<String, TopicDescription> describe(Admin admin, Collection<String> topics)
      throws ExecutionException, InterruptedException {
    Set<String> refused = new TreeSet<>();
    Map<String, TopicDescription> described =
        describe(admin, topics, refused::add, new DescribeTopicsOptions());
    if (!refused.isEmpty()) {
      throw new ExecutionException(
          new TopicAuthorizationException("Not authorized to describe topics " + refused, refused));
    }
    return described;
  }

  /**
   * Describes the topics that this client may read; missing topics are omitted.
   *
   * @param refused receives the topics that it may not read
   */
  public static Map<String, TopicDescription> readable(
      Admin admin, Collection<String> topics, Consumer<String> refused)
      throws ExecutionException, InterruptedException {
    Map<String, TopicDescription> readable =
        describe(
            admin, topics, refused, new DescribeTopicsOptions().includeAuthorizedOperations(true));
    List<String> unread =
        readable.values().stream().filter(t -> !mayRead(t)).map(TopicDescription::name).toList();
    unread.forEach(refused);
    readable.keySet().removeAll(unread);
    return readable;
  }

  /** Whether Read is allowed. Brokers without an authorizer allow all; some list no operations. */
  private static boolean mayRead(TopicDescription topic) {
    return topic.authorizedOperations() == null
        || topic.authorizedOperations().contains(AclOperation.READ);
  }

  private static Map<String, TopicDescription> describe(
      Admin admin,
      Collection<String> topics,
      Consumer<String> refused,
      DescribeTopicsOptions options)
      throws ExecutionException, InterruptedException {
    Map<String, TopicDescription> described = new HashMap<>();
    for (var topic : admin.describeTopics(topics, options).topicNameValues().entrySet()) {
      try {
        described.put(topic.getKey(), topic.getValue().get());
      } catch (ExecutionException e) {
        if (e.getCause() instanceof TopicAuthorizationException) { // does not name the topic
          refused.accept(topic.getKey());
        } else if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw e;
        }
      }
    }
    return described;
  }

  /** Returns all partitions of topics with these counts. */
  public static Set<TopicPartition> partitions(Map<String, Integer> counts) {
    return counts.entrySet().stream()
        .flatMap(
            topic ->
                IntStream.range(0, topic.getValue())
                    .mapToObj(p -> new TopicPartition(topic.getKey(), p)))
        .collect(Collectors.toSet());
  }
}
