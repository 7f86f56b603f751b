package dev.rondo.topology.topics;

import static org.apache.kafka.common.config.TopicConfig.MAX_MESSAGE_BYTES_CONFIG;

import dev.rondo.connection.kafka.Replication;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.decode.Decode;
import dev.rondo.topology.source.Source;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TopicExistsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates missing topics of Rondo and checks existing ones. */
public final class RondoTopics {
  private static final Logger LOG = LoggerFactory.getLogger(RondoTopics.class);

  private RondoTopics() {}

  /** Returns the name of the topic between decode and consolidate. */
  public static String bySeries(String applicationId) {
    return applicationId + "-" + Decode.BY_SERIES + "-repartition";
  }

  /**
   * Creates missing topics of this Rondo, and the default source {@code points} if it is read.
   * Raises the record size limit of an existing dead letter topic. With {@code topics.create=false}
   * all topics must exist.
   *
   * @throws ConfigException if the application was started with another number of partitions, or
   *     topics differ from what is needed
   */
  public static void create(Admin admin, TopologyConfig config, List<Source> sources)
      throws ExecutionException, InterruptedException {
    Set<String> existing = admin.listTopics().names().get();
    if (!config.getBoolean("topics.create")) {
      List<String> notKeyed =
          sources.stream().filter(source -> !source.isKeyed()).map(Source::topic).toList();
      Map<String, Integer> counts =
          PartitionCounts.of(PartitionCounts.readable(admin, notKeyed, refused -> {}));
      int most = counts.values().stream().max(Integer::compare).orElse(1);
      List<RequiredTopic> topics = new ArrayList<>(RequiredTopic.own(config));
      topics.addAll(RequiredTopic.internal(config, config.sourceRules(), most));
      TopicCheck.check(admin, topics);
      return;
    }
    checkPartitions(admin, config, existing);
    List<RequiredTopic> needed = new ArrayList<>(RequiredTopic.own(config));
    if (sources.stream().allMatch(Source::isKeyed)) { // else Kafka Streams creates it
      needed.add(RequiredTopic.bySeries(config));
    }
    List<RequiredTopic> ofSources = ofSources(config, sources);
    needed.addAll(ofSources);
    createAll(
        admin,
        needed.stream().filter(topic -> !existing.contains(topic.name())).toList(),
        ofSources);
    String deadLetters = config.topic(Topics.DEAD_LETTERS).name();
    if (existing.contains(deadLetters)) {
      raiseLargestRecord(admin, deadLetters);
    }
  }

  /** Returns the sources to create if they are missing. */
  private static List<RequiredTopic> ofSources(TopologyConfig config, List<Source> sources) {
    boolean createsAll = config.getBoolean("sources.create");
    int partitions = config.getInt("partitions");
    Map<String, String> configs = Topics.POINTS.configs();
    return sources.stream()
        .map(Source::topic)
        .filter(topic -> createsAll || topic.equals(Topics.POINTS.name()))
        .map(topic -> new RequiredTopic(topic, partitions, false, configs, false))
        .toList();
  }

  /** Rejects another partition count: series would move to other tasks and get second locations. */
  private static void checkPartitions(Admin admin, TopologyConfig config, Set<String> existing)
      throws ExecutionException, InterruptedException {
    int partitions = config.getInt("partitions");
    List<String> begun =
        RequiredTopic.fixed(config).stream()
            .map(RequiredTopic::name)
            .filter(existing::contains)
            .toList();
    for (TopicDescription topic : admin.describeTopics(begun).allTopicNames().get().values()) {
      int count = topic.partitions().size();
      if (count != partitions) {
        throw new ConfigException(
            "partitions",
            partitions,
            "topic '%s' has %d partitions; the number is fixed for the life of a deployment"
                .formatted(topic.name(), count));
      }
    }
  }

  private static void createAll(
      Admin admin, List<RequiredTopic> missing, List<RequiredTopic> sources)
      throws ExecutionException, InterruptedException {
    Replication replication = Replication.of(admin);
    List<NewTopic> topics = missing.stream().map(topic -> replicated(topic, replication)).toList();
    var results = admin.createTopics(topics).values();
    for (RequiredTopic topic : missing) {
      try {
        results.get(topic.name()).get();
        LOG.info(
            "created {}topic {} with {} partitions",
            sources.contains(topic) ? "source " : "",
            topic.name(),
            topic.partitions());
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof TopicExistsException)) { // another instance was first
          throw e;
        }
      }
    }
  }

  private static NewTopic replicated(RequiredTopic topic, Replication replication) {
    Map<String, String> configs = new HashMap<>(topic.configs());
    configs.putAll(replication.configs());
    return new NewTopic(topic.name(), Optional.of(topic.partitions()), replication.factor())
        .configs(configs);
  }

  /**
   * Fetches the partition counts of Rondo's topics whose order depends on the count, without
   * internal ones.
   */
  public static Map<String, Integer> pinnedCounts(Admin admin, TopologyConfig config)
      throws ExecutionException, InterruptedException {
    List<String> topics =
        Stream.of(Topics.SERIES, Topics.BUNDLE_ROWS, Topics.DEAD_LETTERS, Topics.REPLAYS)
            .map(topic -> config.topic(topic).name())
            .toList();
    return PartitionCounts.of(admin, topics);
  }

  /** Raises the record size limit, as a larger dead letter would fail the topology. */
  private static void raiseLargestRecord(Admin admin, String name)
      throws ExecutionException, InterruptedException {
    var topic = new ConfigResource(ConfigResource.Type.TOPIC, name);
    String bytes =
        admin
            .describeConfigs(List.of(topic))
            .all()
            .get()
            .get(topic)
            .get(MAX_MESSAGE_BYTES_CONFIG)
            .value();
    if (Integer.parseInt(bytes) >= Topics.MAX_RECORD_BYTES) {
      return;
    }
    var enough =
        new ConfigEntry(MAX_MESSAGE_BYTES_CONFIG, Integer.toString(Topics.MAX_RECORD_BYTES));
    var set = new AlterConfigOp(enough, AlterConfigOp.OpType.SET);
    admin.incrementalAlterConfigs(Map.of(topic, List.of(set))).all().get();
    LOG.info("raised {} of topic {} from {} to {}", enough.name(), name, bytes, enough.value());
  }
}
