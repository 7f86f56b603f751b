package dev.rondo.topology.topics;

import static org.apache.kafka.common.config.TopicConfig.MAX_MESSAGE_BYTES_CONFIG;

import dev.rondo.schemas.Points;
import dev.rondo.schemas.Replication;
import dev.rondo.schemas.Topic;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.consolidate.Consolidate;
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
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.Serdes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates missing topics of Rondo and checks existing ones. */
public final class RondoTopics {
  private static final Logger LOG = LoggerFactory.getLogger(RondoTopics.class);

  /** Internal topics of Kafka Streams, whose partition count is the setting {@code partitions}. */
  private static final List<String> INTERNAL =
      List.of(
          Decode.BY_SERIES + "-repartition",
          Consolidate.SEGMENTS_STORE + "-changelog",
          Consolidate.LOCATIONS_STORE + "-changelog",
          Consolidate.DELETED_STORE + "-changelog",
          Consolidate.MERGE_BUFFER_STORE + "-changelog");

  private RondoTopics() {}

  /** The topic between decode and consolidate. */
  public static String bySeries(String applicationId) {
    return applicationId + "-" + Decode.BY_SERIES + "-repartition";
  }

  /**
   * Creates missing {@code rondo.*} topics, and the default source {@code points} if it is read.
   * Raises the record size limit of an existing {@code rondo.dead-letters}.
   *
   * @param partitions of each topic; {@code rondo.replays}, {@code rondo.partitions}, {@code
   *     rondo.policies} and {@code rondo.deletions} have one
   * @param createsSources whether other missing sources are created
   * @throws ConfigException if the application was started with another number of partitions
   * @throws IllegalStateException if a source is missing and is not created
   */
  public static void create(
      Admin admin,
      String applicationId,
      List<Source> sources,
      int partitions,
      boolean createsSources)
      throws ExecutionException, InterruptedException {
    Set<String> existing = admin.listTopics().names().get();
    checkPartitions(admin, applicationId, existing, partitions);
    List<NewTopic> missing = new ArrayList<>();
    for (Topic<?, ?> topic : List.of(Topics.SERIES, Topics.BUNDLE_ROWS, Topics.DEAD_LETTERS)) {
      addIfMissing(topic, partitions, existing, missing);
    }
    for (Source source : sources) {
      if (createsSources || source.topic().equals(Topics.POINTS.name())) {
        addIfMissing(Topics.POINTS.named(source.topic()), partitions, existing, missing);
      } else if (!existing.contains(source.topic())) {
        throw new IllegalStateException(
            "source topic '"
                + source.topic()
                + "' does not exist: create it, or set sources.create (sources)");
      }
    }
    if (sources.stream().allMatch(Source::isKeyed)) { // else Kafka Streams creates it
      addIfMissing(bySeriesTopic(applicationId), partitions, existing, missing);
    }
    addIfMissing(Topics.REPLAYS, 1, existing, missing);
    addIfMissing(Topics.PARTITIONS, 1, existing, missing);
    addIfMissing(Topics.POLICIES, 1, existing, missing);
    addIfMissing(Topics.DELETIONS, 1, existing, missing);
    createAll(admin, missing);
    if (existing.contains(Topics.DEAD_LETTERS.name())) {
      raiseLargestRecord(admin, Topics.DEAD_LETTERS.name());
    }
  }

  /** The repartition topic, as Kafka Streams would create it. */
  private static Topic<Integer, Points> bySeriesTopic(String applicationId) {
    return new Topic<>(
        bySeries(applicationId),
        Serdes.Integer(),
        Topics.POINTS_SERDE,
        Map.of(
            TopicConfig.CLEANUP_POLICY_CONFIG,
            TopicConfig.CLEANUP_POLICY_DELETE,
            TopicConfig.RETENTION_MS_CONFIG,
            "-1",
            TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, // the merge uses the time of the source
            "CreateTime"));
  }

  /** With another count a series would move to another task, and get a second location there. */
  private static void checkPartitions(
      Admin admin, String applicationId, Set<String> existing, int partitions)
      throws ExecutionException, InterruptedException {
    List<String> begun =
        INTERNAL.stream()
            .map(name -> applicationId + "-" + name)
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

  private static void addIfMissing(
      Topic<?, ?> topic, int partitions, Set<String> existing, List<NewTopic> missing) {
    if (!existing.contains(topic.name())) {
      missing.add(
          new NewTopic(topic.name(), Optional.of(partitions), Optional.empty())
              .configs(topic.configs()));
    }
  }

  private static void createAll(Admin admin, List<NewTopic> missing)
      throws ExecutionException, InterruptedException {
    Replication replication = Replication.of(admin);
    List<NewTopic> topics = missing.stream().map(topic -> replicated(topic, replication)).toList();
    for (var created : admin.createTopics(topics).values().entrySet()) {
      try {
        created.getValue().get();
        LOG.info("created topic {}", created.getKey());
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof TopicExistsException)) { // another instance was first
          throw e;
        }
      }
    }
  }

  private static NewTopic replicated(NewTopic topic, Replication replication) {
    Map<String, String> configs = new HashMap<>(topic.configs());
    configs.putAll(replication.configs());
    return new NewTopic(topic.name(), Optional.of(topic.numPartitions()), replication.factor())
        .configs(configs);
  }

  /**
   * Lists the partitions of the sources.
   *
   * @param max partitions of a keyed source, which is the number of tasks
   * @throws ConfigException if a keyed source has more
   */
  public static Set<TopicPartition> partitions(Admin admin, List<Source> sources, int max)
      throws ExecutionException, InterruptedException {
    Map<String, Integer> counts =
        PartitionCounts.of(admin, sources.stream().map(Source::topic).toList());
    Map<String, Integer> keyed = new HashMap<>(counts);
    sources.stream().filter(source -> !source.isKeyed()).forEach(s -> keyed.remove(s.topic()));
    checkKeyed(keyed, max);
    return PartitionCounts.partitions(counts);
  }

  /** Checks that each partition of a keyed source has a task, which is the one of its number. */
  public static void checkKeyed(Map<String, Integer> partitions, int max) {
    partitions.forEach(
        (topic, count) -> {
          if (count > max) {
            throw new ConfigException(
                "partitions",
                max,
                "keyed source '%s' has %d partitions, which is more (keyed)"
                    .formatted(topic, count));
          }
        });
  }

  /** Partition counts of the topics whose order depends on the count, without internal topics. */
  public static Map<String, Integer> pinnedCounts(Admin admin, List<Source> sources)
      throws ExecutionException, InterruptedException {
    List<String> topics =
        new ArrayList<>(
            Stream.of(Topics.SERIES, Topics.BUNDLE_ROWS, Topics.DEAD_LETTERS, Topics.REPLAYS)
                .map(Topic::name)
                .toList());
    sources.stream().filter(Source::isKeyed).map(Source::topic).forEach(topics::add);
    return PartitionCounts.of(admin, topics);
  }

  /** Raises the record size limit: a dead letter above it would fail the topology. */
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
