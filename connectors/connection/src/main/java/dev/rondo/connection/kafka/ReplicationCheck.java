package dev.rondo.connection.kafka;

import static org.apache.kafka.common.config.TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG;

import dev.rondo.connection.kafka.Weakness.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;

/**
 * Checks whether the loss of one broker loses records or stops producers of some topics.
 *
 * @param brokers ids of the running brokers, sorted
 * @param topics number of topics that were checked
 * @param weaknesses empty if replication is sufficient
 * @param more target replicas of partitions that have too few, the present ones first
 */
public record ReplicationCheck(
    List<Integer> brokers,
    int topics,
    List<Weakness> weaknesses,
    Map<TopicPartition, List<Integer>> more) {

  private static final Comparator<TopicPartition> BY_NAME =
      Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition);

  private static final Comparator<Weakness> BY_KIND =
      Comparator.comparing(Weakness::kind).thenComparing(weakness -> weakness.topics().get(0));

  /**
   * A topic.
   *
   * @param replicas by partition
   * @param minInSync empty if this client may not describe it
   */
  record Topic(String name, List<List<Integer>> replicas, Optional<Integer> minInSync) {
    int factor() {
      return replicas.stream().mapToInt(List::size).min().orElse(0);
    }
  }

  /** Checks the existing topics with these names, including Kafka's internal ones. */
  public static ReplicationCheck of(Admin admin, Predicate<String> names)
      throws ExecutionException, InterruptedException {
    Collection<Node> nodes = admin.describeCluster().nodes().get();
    List<Integer> brokers = nodes.stream().map(Node::id).sorted().toList();
    int byDefault = 1;
    try {
      Config defaults = Replication.defaults(admin, nodes.iterator().next());
      byDefault = Replication.number(defaults, "default.replication.factor");
    } catch (ExecutionException e) {
      rethrowUnlessForbidden(e);
    }
    List<String> topics =
        admin.listTopics(new ListTopicsOptions().listInternal(true)).names().get().stream()
            .filter(names)
            .toList();
    return of(brokers, Replication.wanted(brokers.size(), byDefault), describe(admin, topics));
  }

  private static List<Topic> describe(Admin admin, List<String> names)
      throws ExecutionException, InterruptedException {
    Map<String, Integer> minInSync = minInSync(admin, names);
    List<Topic> topics = new ArrayList<>();
    for (TopicDescription topic : admin.describeTopics(names).allTopicNames().get().values()) {
      topics.add(
          new Topic(
              topic.name(),
              topic.partitions().stream().map(ReplicationCheck::replicas).toList(),
              Optional.ofNullable(minInSync.get(topic.name()))));
    }
    return topics;
  }

  private static List<Integer> replicas(TopicPartitionInfo partition) {
    return partition.replicas().stream().map(Node::id).toList();
  }

  private static Map<String, Integer> minInSync(Admin admin, List<String> names)
      throws ExecutionException, InterruptedException {
    List<ConfigResource> resources =
        names.stream().map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name)).toList();
    Map<String, Integer> found = new HashMap<>();
    for (var described : admin.describeConfigs(resources).values().entrySet()) {
      try {
        Config config = described.getValue().get();
        found.put(
            described.getKey().name(), Replication.number(config, MIN_IN_SYNC_REPLICAS_CONFIG));
      } catch (ExecutionException e) {
        rethrowUnlessForbidden(e);
      }
    }
    return found;
  }

  private static void rethrowUnlessForbidden(ExecutionException e) throws ExecutionException {
    if (!(e.getCause() instanceof AuthorizationException)) {
      throw e;
    }
  }

  /**
   * @param wanted replicas that each should have
   */
  static ReplicationCheck of(List<Integer> brokers, int wanted, List<Topic> topics) {
    Map<Weakness, List<String>> alike = new HashMap<>();
    Map<TopicPartition, List<Integer>> more = new TreeMap<>(BY_NAME);
    for (Topic topic : topics) {
      kind(topic, wanted)
          .ifPresent(
              kind ->
                  alike
                      .computeIfAbsent(weakness(kind, topic, wanted), same -> new ArrayList<>())
                      .add(topic.name()));
      for (int number = 0; number < topic.replicas().size(); number++) {
        List<Integer> replicas = topic.replicas().get(number);
        if (replicas.size() < wanted) {
          more.put(
              new TopicPartition(topic.name(), number), more(replicas, brokers, wanted, number));
        }
      }
    }
    List<Weakness> weaknesses =
        alike.entrySet().stream()
            .map(same -> named(same.getKey(), same.getValue()))
            .sorted(BY_KIND)
            .toList();
    return new ReplicationCheck(brokers, topics.size(), weaknesses, more);
  }

  private static Optional<Kind> kind(Topic topic, int wanted) {
    int factor = topic.factor();
    int minInSync = topic.minInSync().orElse(0);
    if (factor < wanted) {
      return Optional.of(Kind.FEW_REPLICAS);
    }
    if (factor > 1 && minInSync >= factor) {
      return Optional.of(Kind.MIN_IN_SYNC_TOO_HIGH);
    }
    return factor > 2 && minInSync == 1 ? Optional.of(Kind.MIN_IN_SYNC_TOO_LOW) : Optional.empty();
  }

  private static Weakness weakness(Kind kind, Topic topic, int wanted) {
    return new Weakness(kind, List.of(), topic.factor(), topic.minInSync().orElse(0), wanted);
  }

  private static Weakness named(Weakness weakness, List<String> topics) {
    return new Weakness(
        weakness.kind(),
        topics.stream().sorted().toList(),
        weakness.replicas(),
        weakness.minInSync(),
        weakness.wanted());
  }

  /**
   * Returns the present replicas and additional ones, starting at a different broker for each
   * partition.
   */
  private static List<Integer> more(
      List<Integer> replicas, List<Integer> brokers, int wanted, int partition) {
    List<Integer> more = new ArrayList<>(replicas);
    for (int n = 0; n < brokers.size() && more.size() < wanted; n++) {
      int broker = brokers.get((partition + n) % brokers.size());
      if (!more.contains(broker)) {
        more.add(broker);
      }
    }
    return more;
  }
}
