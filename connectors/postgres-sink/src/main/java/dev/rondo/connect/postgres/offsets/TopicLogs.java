package dev.rondo.connect.postgres.offsets;

import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads topic ids and offset bounds from Kafka. Connect gives a task neither topic ids nor its own
 * connection, so this needs a connection; without settings for one, logs are unknown. The first
 * question opens it, and the next one after a failure opens another. Not thread-safe.
 */
public final class TopicLogs implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TopicLogs.class);

  /** Between two puts a task waits no longer than this. */
  private static final int DESCRIBE_BOUND_MS = 10_000;

  private final Map<String, Object> settings;
  private final Clock clock;
  private Admin admin; // null: not open

  /**
   * Reads with an Admin client of these settings.
   *
   * @param settings of Kafka's Admin client; empty: Kafka is not asked
   * @param clock for the age of records
   */
  public TopicLogs(Map<String, Object> settings, Clock clock) {
    this.settings = settings;
    this.clock = clock;
  }

  /**
   * The log of a partition.
   *
   * @param topicId changes when the topic is deleted and recreated; zeros: unknown
   * @param begin first offset that Kafka still has
   * @param complete from here on Kafka has every record: none is deleted, or compacted away
   * @param end offset of the next record
   */
  record Log(UUID topicId, long begin, long complete, long end) {
    static final Log UNKNOWN = new Log(new UUID(0, 0), 0, 0, Long.MAX_VALUE);

    boolean isUnknown() {
      return topicId.equals(UNKNOWN.topicId);
    }

    /** The offset nearest to {@code offset} that Kafka can deliver from. */
    long nearest(long offset) {
      return Math.max(begin, Math.min(offset, end));
    }
  }

  /**
   * Reads the logs of those of {@code partitions} that exist.
   *
   * @throws NoKafkaException when Kafka does not answer or does not authorize the user
   */
  Map<TopicPartition, Log> read(Collection<TopicPartition> partitions) {
    return settings.isEmpty() || partitions.isEmpty()
        ? partitions.stream().collect(Collectors.toMap(Function.identity(), p -> Log.UNKNOWN))
        : ask(admin -> read(admin, partitions));
  }

  /**
   * Returns the topic ids of those of {@code partitions} that exist, as {@link Log#topicId}.
   *
   * @throws NoKafkaException when Kafka does not answer soon or does not authorize the user
   */
  Map<TopicPartition, UUID> ids(Collection<TopicPartition> partitions) {
    if (settings.isEmpty() || partitions.isEmpty()) {
      return partitions.stream()
          .collect(Collectors.toMap(Function.identity(), p -> Log.UNKNOWN.topicId()));
    }
    Map<String, TopicDescription> topics = ask(admin -> describe(admin, partitions));
    var ids = new HashMap<TopicPartition, UUID>();
    partitions.forEach(partition -> id(topics, partition).ifPresent(id -> ids.put(partition, id)));
    return ids;
  }

  private interface Question<T> {
    T to(Admin admin) throws ExecutionException, InterruptedException;
  }

  private <T> T ask(Question<T> question) {
    try {
      if (admin == null) {
        admin = Admin.create(settings);
      }
      return question.to(admin);
    } catch (ExecutionException e) {
      throw failed(e.getCause());
    } catch (KafkaException e) {
      throw failed(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed(e);
    }
  }

  /** Another client begins at the bootstrap servers: this one may know none that is alive. */
  private NoKafkaException failed(Throwable cause) {
    close();
    return new NoKafkaException(cause);
  }

  @Override
  public void close() {
    if (admin != null) {
      admin.close(Duration.ZERO); // nobody waits for its answers
      admin = null;
    }
  }

  private Map<TopicPartition, Log> read(Admin admin, Collection<TopicPartition> assigned)
      throws ExecutionException, InterruptedException {
    Map<String, TopicDescription> topics = describe(admin, assigned);
    List<TopicPartition> partitions =
        assigned.stream().filter(partition -> id(topics, partition).isPresent()).toList();
    var begins = offsets(admin, partitions, p -> OffsetSpec.earliest());
    var ends = offsets(admin, partitions, p -> OffsetSpec.latest());
    Map<String, Long> keptMs = keptMs(admin, topics.keySet());
    long nowMs = clock.millis();
    var kept =
        offsets(
            admin,
            partitions.stream().filter(p -> keptMs.containsKey(p.topic())).toList(),
            p -> OffsetSpec.forTimestamp(nowMs - keptMs.get(p.topic())));
    var logs = new HashMap<TopicPartition, Log>();
    for (TopicPartition partition : partitions) {
      long begin = begins.get(partition).offset();
      long end = ends.get(partition).offset();
      long complete = kept.containsKey(partition) ? kept.get(partition).offset() : begin;
      logs.put(
          partition,
          new Log(
              id(topics, partition).orElseThrow(),
              begin,
              complete < 0 ? end : complete, // no record is so new
              end));
    }
    return logs;
  }

  /** Descriptions of those of the topics that exist. */
  private static Map<String, TopicDescription> describe(
      Admin admin, Collection<TopicPartition> partitions)
      throws ExecutionException, InterruptedException {
    var topics = new HashMap<String, TopicDescription>();
    for (var described :
        admin
            .describeTopics(
                partitions.stream().map(TopicPartition::topic).distinct().toList(),
                new DescribeTopicsOptions().timeoutMs(DESCRIBE_BOUND_MS))
            .topicNameValues()
            .entrySet()) {
      try {
        topics.put(described.getKey(), described.getValue().get());
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw e;
        }
      }
    }
    return topics;
  }

  /** Id of the topic of {@code partition}; empty if there is no such partition. */
  private static Optional<UUID> id(Map<String, TopicDescription> topics, TopicPartition partition) {
    return Optional.ofNullable(topics.get(partition.topic()))
        .filter(topic -> partition.partition() < topic.partitions().size())
        .map(TopicDescription::topicId)
        .map(id -> new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits()));
  }

  /**
   * For how long compacted topics keep every record, ms. Without a lag Kafka may compact a record
   * away at once if there is a later one of its key, but keeps tombstones for a while.
   */
  private static Map<String, Long> keptMs(Admin admin, Set<String> topics)
      throws ExecutionException, InterruptedException {
    var keptMs = new HashMap<String, Long>();
    var resources = topics.stream().map(t -> new ConfigResource(ConfigResource.Type.TOPIC, t));
    for (var described : admin.describeConfigs(resources.toList()).values().entrySet()) {
      String topic = described.getKey().name();
      try {
        Config config = described.getValue().get();
        if (config.get(TopicConfig.CLEANUP_POLICY_CONFIG).value().contains("compact")) {
          long lagMs = ms(config, TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG);
          keptMs.put(topic, lagMs > 0 ? lagMs : ms(config, TopicConfig.DELETE_RETENTION_MS_CONFIG));
        }
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof AuthorizationException)) {
          throw e;
        }
        LOG.info(
            "Cannot tell whether {} has lost records to compaction: no right to DescribeConfigs",
            topic);
      }
    }
    return keptMs;
  }

  private static long ms(Config config, String key) {
    return Long.parseLong(config.get(key).value());
  }

  private static Map<TopicPartition, ListOffsetsResultInfo> offsets(
      Admin admin, Collection<TopicPartition> partitions, Function<TopicPartition, OffsetSpec> spec)
      throws ExecutionException, InterruptedException {
    return admin
        .listOffsets(partitions.stream().collect(Collectors.toMap(Function.identity(), spec)))
        .all()
        .get();
  }
}
