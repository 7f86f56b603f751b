package dev.rondo.chaos.load;

import dev.rondo.connection.kafka.SourceTopicConfig;
import dev.rondo.embedded.NewTopics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;

/**
 * The source topics, and the sources file for them.
 *
 * @param bootstrap brokers
 */
public record SourceTopics(String bootstrap) {
  public static final String POINTS = "points";

  /** Points of the past; no source. */
  public static final String OLD = "old-points";

  /** Its series get a separate policy. */
  static final String EXPLODING = "exploding";

  /** Prefix of all other topics. */
  static final String MATCHED = "chaos.";

  /** Is deleted and created again. */
  public static final String REPLACED = MATCHED + "replaced";

  /** Loses records before they are read. */
  public static final String CUT = MATCHED + "cut";

  /** {@code message.timestamp.type} by the end of a topic's name. */
  public static final Map<String, String> CONFIGS =
      Map.of("create", "CreateTime", "append", "LogAppendTime");

  /** Number of partitions to add. */
  public static final int MORE_PARTITIONS = 4;

  private static final String NAMED =
      """
      sources:
        - topic: points
      """;

  private static final String EXPLODING_ONE =
      """
        - {topic: exploding, format: influx, policy: exploding}
      """;

  private static final String PATTERN =
      """
        - {pattern: 'chaos[.].*'}
      """;

  /** The policies of {@code ./rondo up}. */
  public static final String POLICIES =
      """
      policies:
        - name: default
          match: '.*'
          step: 10s
          heartbeat: 2m
          archives: ["10s:6h", "1m:7d", "1h:1y"]
      """;

  /** The usual policy, and one that an explosion exceeds: 50 series per partition. */
  public static final String EXPLODING_POLICIES =
      """
      policies:
        - name: exploding
          match: '^$'
          step: 10s
          heartbeat: 2m
          max.series: 800
          archives: ["10s:6h", "1m:7d"]
        - name: default
          match: '.*'
          step: 10s
          heartbeat: 2m
          emit.open: true
          archives: ["10s:6h", "1m:7d", "1h:1y"]
      """;

  /**
   * A sources file.
   *
   * @param explodes whether to include the topic for series explosions
   * @param hasPattern whether to include the pattern source
   */
  public static String sources(boolean explodes, boolean hasPattern) {
    return NAMED + (explodes ? EXPLODING_ONE : "") + (hasPattern ? PATTERN : "");
  }

  /**
   * Creates the initial topics that match the pattern.
   *
   * @param timestampTypes {@code create} or {@code append}, one topic each
   */
  public void create(List<String> timestampTypes, int partitions)
      throws InterruptedException, ExecutionException {
    List<NewTopic> topics =
        timestampTypes.stream()
            .map(
                type ->
                    new NewTopic(MATCHED + type, Optional.of(partitions), Optional.empty())
                        .configs(SourceTopicConfig.of(CONFIGS.get(type))))
            .toList();
    try (Admin admin = admin()) {
      NewTopics.create(admin, topics);
    }
  }

  /** Deletes a topic. */
  public void delete(String topic) throws InterruptedException, ExecutionException {
    try (Admin admin = admin()) {
      admin.deleteTopics(List.of(topic)).all().get();
    }
  }

  /** Creates a topic that was deleted, as soon as Kafka allows it. */
  public void createAgain(String topic, int partitions)
      throws InterruptedException, ExecutionException {
    NewTopic again =
        new NewTopic(topic, Optional.of(partitions), Optional.empty())
            .configs(SourceTopicConfig.of("CreateTime"));
    try (Admin admin = admin()) {
      NewTopics.createAgain(admin, again);
    }
  }

  /** Deletes all records of a topic. */
  public void cut(String topic) throws InterruptedException, ExecutionException {
    try (Admin admin = admin()) {
      Map<TopicPartition, RecordsToDelete> all = new HashMap<>();
      ends(admin, List.of(topic))
          .forEach((partition, end) -> all.put(partition, RecordsToDelete.beforeOffset(end)));
      admin.deleteRecords(all).all().get();
    }
  }

  /** Adds partitions to a topic. */
  public void grow(String topic, int by) throws InterruptedException, ExecutionException {
    try (Admin admin = admin()) {
      int count =
          admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions().size();
      admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(count + by))).all().get();
    }
  }

  /** Number of records written to the topics of all loads so far. */
  public long records() throws InterruptedException, ExecutionException {
    try (Admin admin = admin()) {
      List<String> topics =
          admin.listTopics().names().get().stream().filter(SourceTopics::isOfLoads).toList();
      return ends(admin, topics).values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /** End offsets of all partitions of topics. */
  public static Map<TopicPartition, Long> ends(Admin admin, List<String> topics)
      throws InterruptedException, ExecutionException {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    for (TopicDescription topic : admin.describeTopics(topics).allTopicNames().get().values()) {
      topic
          .partitions()
          .forEach(
              each ->
                  asked.put(
                      new TopicPartition(topic.name(), each.partition()), OffsetSpec.latest()));
    }
    Map<TopicPartition, Long> ends = new HashMap<>();
    admin
        .listOffsets(asked)
        .all()
        .get()
        .forEach((partition, found) -> ends.put(partition, found.offset()));
    return ends;
  }

  private static boolean isOfLoads(String topic) {
    return topic.equals(POINTS) || topic.equals(EXPLODING) || topic.startsWith(MATCHED);
  }

  private Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", bootstrap));
  }
}
