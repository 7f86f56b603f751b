package dev.rondo.topology.topics;

import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_COMPACT;
import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_DELETE;
import static org.apache.kafka.common.config.TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.RETENTION_MS_CONFIG;

import dev.rondo.schemas.Topic;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.consolidate.Consolidate;
import dev.rondo.topology.decode.Decode;
import dev.rondo.topology.source.SourceRules;
import dev.rondo.topology.state.WriteBackStoreBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A topic that the topology needs.
 *
 * @param partitions partitions to create it with
 * @param isCounted whether it must have exactly this many
 * @param configs configuration to create it with
 * @param isInternal whether Kafka Streams creates it
 */
public record RequiredTopic(
    String name,
    int partitions,
    boolean isCounted,
    Map<String, String> configs,
    boolean isInternal) {
  /** Topics whose entries must be in write order. */
  private static final Set<Topic<?, ?>> ONE_PARTITION =
      Set.of(
          Topics.EVENTS,
          Topics.REPLAYS,
          Topics.PARTITIONS,
          Topics.POLICIES,
          Topics.SERIES_REQUESTS);

  /** Stores whose changelogs have as many partitions as the setting {@code partitions}. */
  private static final List<String> STORES =
      List.of(
          Consolidate.SEGMENTS_STORE,
          Consolidate.LOCATIONS_STORE,
          Consolidate.DELETED_STORE,
          Consolidate.MERGE_BUFFER_STORE);

  /** Returns the topics {@code PREFIX.*}. */
  public static List<RequiredTopic> own(TopologyConfig config) {
    List<RequiredTopic> topics = new ArrayList<>();
    for (Topic<?, ?> topic : Topics.OWN) {
      boolean one = ONE_PARTITION.contains(topic);
      topics.add(
          new RequiredTopic(
              config.topic(topic).name(),
              one ? 1 : config.getInt("partitions"),
              one,
              topic.configs(),
              false));
    }
    return topics;
  }

  /**
   * Returns the topics of Kafka Streams.
   *
   * @param mostPartitions largest partition count of a source that is not keyed
   */
  public static List<RequiredTopic> internal(
      TopologyConfig config, SourceRules rules, int mostPartitions) {
    List<RequiredTopic> topics = new ArrayList<>(fixed(config));
    if (rules.needDefinitions(false)) {
      topics.add(changelog(config, Decode.DEFINITIONS_STORE, mostPartitions));
    }
    if (rules.needDefinitions(true)) {
      topics.add(changelog(config, Decode.KEYED_DEFINITIONS_STORE, config.getInt("partitions")));
    }
    return topics;
  }

  /** Returns the internal topics with as many partitions as the setting {@code partitions}. */
  static List<RequiredTopic> fixed(TopologyConfig config) {
    List<RequiredTopic> topics = new ArrayList<>();
    topics.add(bySeries(config));
    STORES.forEach(store -> topics.add(changelog(config, store, config.getInt("partitions"))));
    return topics;
  }

  /** Returns the repartition topic as Kafka Streams would create it. */
  static RequiredTopic bySeries(TopologyConfig config) {
    return new RequiredTopic(
        RondoTopics.bySeries(config.getString("application.id")),
        config.getInt("partitions"),
        true,
        Map.of(
            CLEANUP_POLICY_CONFIG,
            CLEANUP_POLICY_DELETE,
            RETENTION_MS_CONFIG,
            "-1",
            MESSAGE_TIMESTAMP_TYPE_CONFIG, // the merge uses the time of the source
            "CreateTime"),
        true);
  }

  private static RequiredTopic changelog(TopologyConfig config, String store, int partitions) {
    Map<String, String> configs = new HashMap<>(WriteBackStoreBuilder.CHANGELOG);
    configs.put(CLEANUP_POLICY_CONFIG, CLEANUP_POLICY_COMPACT);
    return new RequiredTopic(
        config.getString("application.id") + "-" + store + "-changelog",
        partitions,
        true,
        configs,
        true);
  }
}
