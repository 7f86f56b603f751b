package dev.rondo.topology.clients;

import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.decode.Decode;
import dev.rondo.topology.order.MergedPartitions;
import dev.rondo.topology.source.Source;
import dev.rondo.topology.source.SourceRules;
import dev.rondo.topology.topics.PartitionCounts;
import dev.rondo.topology.topics.RecordedPartitions;
import dev.rondo.topology.topics.RondoTopics;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the source partitions periodically while the topology runs, so that merges wait for a new
 * partition before newer points could overtake its points. The topology fails if a keyed source has
 * grown, because its series would move to other partitions. Safe to share between threads.
 */
public final class PartitionDiscovery {
  private static final Logger LOG = LoggerFactory.getLogger(PartitionDiscovery.class);

  private final Admin admin;
  private final SourceRules rules;
  private final String applicationId;
  private final int maxKeyedPartitions;
  private final RecordedPartitions recorded;
  private final MergedPartitions merged;
  private final UnassignedPartitions unassigned;
  private final SourceLogs logs;

  private Map<String, Integer> counts = Map.of();
  private Set<TopicPartition> partitions = Set.of();
  private volatile ConfigException failure;

  public PartitionDiscovery(
      Admin admin,
      TopologyConfig config,
      SourceRules rules,
      RecordedPartitions recorded,
      MergedPartitions merged,
      UnassignedPartitions unassigned,
      SourceLogs logs) {
    this.admin = admin;
    this.rules = rules;
    this.applicationId = config.getString("application.id");
    this.maxKeyedPartitions = config.getInt("partitions");
    this.recorded = recorded;
    this.merged = merged;
    this.unassigned = unassigned;
    this.logs = logs;
  }

  /**
   * Lists the source partitions once.
   *
   * @param nowMs monotonic clock, ms
   * @throws ConfigException if a keyed source has grown; the partitions are then not updated
   */
  public void run(long nowMs) throws ExecutionException, InterruptedException {
    Map<String, TopicDescription> described = PartitionCounts.describe(admin, topics());
    logs.listed(PartitionCounts.ids(described));
    Map<String, Integer> now = PartitionCounts.of(described);
    try {
      failIfGrown(now);
    } catch (ConfigException e) {
      failure = e;
      throw e;
    }
    if (!now.equals(counts)) {
      growDefinitions(now);
      LOG.info("Partitions of the sources: {}, previously {}", now, counts);
      counts = now;
    }
    partitions = PartitionCounts.partitions(now);
    merged.update(partitions);
    unassigned.check(admin, partitions, nowMs);
  }

  /** The source partitions, as last listed by the same thread. */
  Set<TopicPartition> partitions() {
    return partitions;
  }

  private Collection<String> topics() throws ExecutionException, InterruptedException {
    if (rules.hasPatterns()) {
      return rules.covered(admin.listTopics().names().get());
    }
    return Stream.of(true, false).flatMap(keyed -> rules.named(keyed).stream()).toList();
  }

  private void failIfGrown(Map<String, Integer> now)
      throws ExecutionException, InterruptedException {
    Map<String, Integer> keyed = new HashMap<>(now);
    keyed.keySet().removeIf(topic -> !isKeyed(topic));
    RondoTopics.checkKeyed(keyed, maxKeyedPartitions);
    recorded.check(keyed);
  }

  private boolean isKeyed(String topic) {
    return rules.of(topic).filter(Source::isKeyed).isPresent();
  }

  /**
   * Adds partitions to the changelog of the definitions. Streams creates a changelog with one
   * partition per task and never adds any. Adding is safe here: existing entries stay with their
   * task.
   */
  private void growDefinitions(Map<String, Integer> now)
      throws ExecutionException, InterruptedException {
    int most =
        now.entrySet().stream()
            .filter(topic -> !isKeyed(topic.getKey()))
            .mapToInt(Map.Entry::getValue)
            .max()
            .orElse(0);
    String changelog = applicationId + "-" + Decode.DEFINITIONS_STORE + "-changelog";
    if (rules.needDefinitions(false)
        && PartitionCounts.of(admin, Set.of(changelog)).getOrDefault(changelog, most) < most) {
      admin.createPartitions(Map.of(changelog, NewPartitions.increaseTo(most))).all().get();
      LOG.info(
          "Grew topic {} to {} partitions, as many as the largest source has", changelog, most);
    }
  }

  /** Throws if an earlier listing found that a keyed source has grown. */
  void failIfGrown() {
    ConfigException found = failure;
    if (found != null) {
      throw found;
    }
  }

  /**
   * Lists keyed sources and throws if one has grown: the records read before must not be committed.
   *
   * @throws ConfigException if a keyed source has grown
   * @throws TimeoutException if the partitions cannot be fetched; Streams retries
   */
  void failIfGrownNow() {
    try {
      failIfGrown(
          PartitionCounts.of(admin, counts.keySet().stream().filter(this::isKeyed).toList()));
    } catch (ExecutionException e) {
      throw new TimeoutException(
          "Failed to fetch the partitions of keyed sources before a commit", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaException(e);
    }
  }

  /** Whether the group should rebalance, as partitions are unassigned; true once per request. */
  boolean takeRebalanceRequest() {
    return unassigned.takeRebalanceRequest();
  }
}
