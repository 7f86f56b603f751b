package dev.rondo.topology.topics;

import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MAX_MESSAGE_BYTES_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.RETENTION_MS_CONFIG;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Compares existing topics with the required ones. {@code cleanup.policy} and {@code
 * message.timestamp.type} must be equal, {@code max.message.bytes} at least as large, and {@code
 * retention.ms} at least a day, or without limit for the by-series topic. All other settings are
 * the owner's choice.
 */
final class TopicCheck {
  /** Rows and requests must outlive an outage of their consumers. */
  private static final long MIN_RETENTION_MS = Duration.ofDays(1).toMillis();

  private final List<String> differences = new ArrayList<>();

  private TopicCheck() {}

  /**
   * @throws ConfigException listing each difference and its fix
   */
  static void check(Admin admin, List<RequiredTopic> required)
      throws ExecutionException, InterruptedException {
    TopicCheck check = new TopicCheck();
    int brokers = admin.describeCluster().nodes().get().size();
    Map<String, TopicDescription> existing = existing(admin, required);
    Map<String, Config> configs = configs(admin, existing);
    for (RequiredTopic topic : required) {
      TopicDescription found = existing.get(topic.name());
      if (found == null) {
        check.missing(topic);
      } else {
        check.layout(topic, found, configs.get(topic.name()), brokers);
        check.configs(topic, configs.get(topic.name()));
      }
    }
    if (!check.differences.isEmpty()) {
      throw new ConfigException(
          "%d differences in the topics of this Rondo, which it does not create (topics.create):%n  %s"
              .formatted(
                  check.differences.size(),
                  String.join(System.lineSeparator() + "  ", check.differences)));
    }
  }

  private static Map<String, TopicDescription> existing(Admin admin, List<RequiredTopic> required)
      throws ExecutionException, InterruptedException {
    Map<String, TopicDescription> existing = new TreeMap<>();
    List<String> names = required.stream().map(RequiredTopic::name).toList();
    for (var topic : admin.describeTopics(names).topicNameValues().entrySet()) {
      try {
        existing.put(topic.getKey(), topic.getValue().get());
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw e;
        }
      }
    }
    return existing;
  }

  private static Map<String, Config> configs(Admin admin, Map<String, TopicDescription> existing)
      throws ExecutionException, InterruptedException {
    List<ConfigResource> resources =
        existing.keySet().stream()
            .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
            .toList();
    return admin.describeConfigs(resources).all().get().entrySet().stream()
        .collect(Collectors.toMap(entry -> entry.getKey().name(), Map.Entry::getValue));
  }

  private void missing(RequiredTopic topic) {
    String configs =
        new TreeMap<>(topic.configs())
            .entrySet().stream()
                .map(config -> " --config " + config.getKey() + "=" + config.getValue())
                .collect(Collectors.joining());
    differences.add(
        "%s does not exist: kafka-topics.sh --create --topic %s --partitions %d%s"
            .formatted(topic.name(), topic.name(), topic.partitions(), configs));
  }

  private void layout(RequiredTopic topic, TopicDescription found, Config configs, int brokers) {
    int partitions = found.partitions().size();
    if (topic.isCounted() && partitions != topic.partitions()) {
      differences.add(
          "%s: partitions is %d, must be %d: create it again, while it is empty"
              .formatted(topic.name(), partitions, topic.partitions()));
    }
    int replicas = found.partitions().get(0).replicas().size();
    int minInSync = Integer.parseInt(configs.get(MIN_IN_SYNC_REPLICAS_CONFIG).value());
    if (replicas < minInSync) {
      add(topic, MIN_IN_SYNC_REPLICAS_CONFIG, "" + minInSync, "at most " + replicas, "" + replicas);
    }
    if (replicas == 1 && brokers > 1) {
      differences.add(
          "%s: replication.factor is 1, must be at least 2, or the loss of a broker loses records:"
                  .formatted(topic.name())
              + " kafka-reassign-partitions.sh");
    }
  }

  private void configs(RequiredTopic topic, Config found) {
    topic
        .configs()
        .forEach(
            (key, needed) -> {
              String is = found.get(key).value();
              switch (key) {
                case CLEANUP_POLICY_CONFIG, MESSAGE_TIMESTAMP_TYPE_CONFIG -> {
                  if (!is.equals(needed)) {
                    add(topic, key, is, needed, needed);
                  }
                }
                case RETENTION_MS_CONFIG -> {
                  if (size(is) < Math.min(size(needed), MIN_RETENTION_MS)
                      || isBounded(is, needed)) {
                    add(topic, key, is, topic.isInternal() ? needed : "at least a day", needed);
                  }
                }
                case MAX_MESSAGE_BYTES_CONFIG -> {
                  if (size(is) < size(needed)) {
                    add(topic, key, is, "at least " + needed, needed);
                  }
                }
                default -> {} // the owner's choice
              }
            });
  }

  /** Whether retention may delete records before they are processed. */
  private static boolean isBounded(String is, String needed) {
    return size(needed) == Long.MAX_VALUE && size(is) < Long.MAX_VALUE;
  }

  /** Parses a size; a negative one means no limit. */
  private static long size(String value) {
    long number = Long.parseLong(value);
    return number < 0 ? Long.MAX_VALUE : number;
  }

  private void add(RequiredTopic topic, String key, String is, String must, String value) {
    differences.add(
        ("%s: %s is %s, must be %s: kafka-configs.sh --alter --entity-type topics --entity-name %s"
                + " --add-config %s=%s")
            .formatted(topic.name(), key, is, must, topic.name(), key, value));
  }
}
