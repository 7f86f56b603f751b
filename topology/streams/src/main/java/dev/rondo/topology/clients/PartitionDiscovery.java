package dev.rondo.topology.clients;

import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.decode.Decode;
import dev.rondo.topology.order.MergedPartitions;
import dev.rondo.topology.source.Source;
import dev.rondo.topology.source.SourceRules;
import dev.rondo.topology.topics.PartitionCounts;
import dev.rondo.topology.topics.RecordedPartitions;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the source partitions periodically, so that merges wait for a new partition before newer
 * points can overtake its points. Sets aside sources that do not exist, and keyed ones with another
 * number of partitions, whose series would move. Safe to share between threads.
 */
public final class PartitionDiscovery {
  private static final Logger LOG = LoggerFactory.getLogger(PartitionDiscovery.class);

  private static final String MISSING = "the topic does not exist; create it";
  private static final String NO_RIGHT =
      "Kafka refuses to let the topology read it; grant Read, see ./rondo check access";

  private final Admin admin;
  private final SourceRules rules;
  private final String applicationId;
  private final int maxKeyedPartitions;
  private final RecordedPartitions recorded;
  private final MergedPartitions merged;
  private final UnassignedPartitions unassigned;
  private final SourceTimes times;
  private final SourceLogs logs;
  private final SetAsideSources setAside;
  private final SourcePartitions shown;

  private Map<String, Integer> counts = Map.of();
  private Set<TopicPartition> partitions = Set.of();
  private Set<TopicPartition> withoutLeader = Set.of();
  private volatile Set<String> read = Set.of();

  public PartitionDiscovery(
      Admin admin,
      TopologyConfig config,
      SourceRules rules,
      RecordedPartitions recorded,
      MergedPartitions merged,
      UnassignedPartitions unassigned,
      SourceLogs logs,
      SetAsideSources setAside,
      SourcePartitions shown) {
    this.admin = admin;
    this.rules = rules;
    this.applicationId = config.getString("application.id");
    this.maxKeyedPartitions = config.getInt("partitions");
    this.recorded = recorded;
    this.merged = merged;
    this.unassigned = unassigned;
    this.times = new SourceTimes(config);
    this.logs = logs;
    this.setAside = setAside;
    this.shown = shown;
  }

  /**
   * Lists the source partitions once.
   *
   * @param nowMs monotonic clock, ms
   */
  public void run(long nowMs) throws ExecutionException, InterruptedException {
    Map<String, String> refused = new TreeMap<>();
    Map<String, TopicDescription> described =
        PartitionCounts.readable(admin, topics(), topic -> refused.put(topic, NO_RIGHT));
    logs.listed(PartitionCounts.ids(described));
    Map<String, Integer> now = PartitionCounts.of(described);
    Map<String, String> reasons = new TreeMap<>(refused);
    rules.missing(now.keySet()).forEach(topic -> reasons.putIfAbsent(topic, MISSING));
    List<String> unmatched = rules.unmatched(now.keySet());
    now.forEach((topic, count) -> refusal(topic, count).ifPresent(why -> reasons.put(topic, why)));
    setAside.update(reasons);
    now.keySet().removeAll(reasons.keySet());
    recordKeyed(now);
    if (!now.equals(counts)) {
      growDefinitions(now);
      counts = now;
    }
    shown.update(withPatterns(now, unmatched));
    partitions = PartitionCounts.partitions(now);
    withoutLeader = PartitionCounts.withoutLeader(described);
    merged.update(partitions);
    read = Set.copyOf(now.keySet());
    unassigned.check(admin, partitions, nowMs);
    times.check(admin, now.keySet());
  }

  private static Map<String, Integer> withPatterns(
      Map<String, Integer> counts, List<String> unmatched) {
    Map<String, Integer> all = new TreeMap<>(counts);
    unmatched.forEach(pattern -> all.put(pattern, 0));
    return all;
  }

  /** Source partitions as last listed; for the listing thread only. */
  Set<TopicPartition> partitions() {
    return partitions;
  }

  /** Source partitions without a leader, as last listed; for the listing thread only. */
  Set<TopicPartition> withoutLeader() {
    return withoutLeader;
  }

  /** Source topics that are read, as last listed. */
  Set<String> read() {
    return read;
  }

  /** Returns why a topic with this many partitions must not be read; empty if it may be. */
  Optional<String> refusal(String topic, int count) {
    if (!isKeyed(topic)) {
      return Optional.empty();
    }
    if (count > maxKeyedPartitions) {
      return Optional.of(
          "it is keyed and has %d partitions, more than Rondo has (partitions=%d)"
              .formatted(count, maxKeyedPartitions));
    }
    return recorded
        .unaccepted(topic, count)
        .map(
            before ->
                ("it is keyed, has %d partitions and had %d: its series would move to other"
                        + " partitions; create it with %d, or accept the change"
                        + " (partitions.accepted) and restart the topology")
                    .formatted(count, before, before));
  }

  /**
   * Returns the offsets to commit, with the ids of their topics ({@link SourceLogs#withIds}).
   *
   * @throws ChangedSourceException if a topic must no longer be read
   * @throws TimeoutException if the topics cannot be described; Streams retries
   */
  Map<TopicPartition, OffsetAndMetadata> committable(
      Map<TopicPartition, OffsetAndMetadata> offsets) {
    Map<String, TopicDescription> described =
        logs.describe(
            offsets.keySet(),
            refused -> {
              throw new ChangedSourceException("Source topic %s: %s".formatted(refused, NO_RIGHT));
            });
    PartitionCounts.of(described)
        .forEach(
            (topic, count) ->
                refusal(topic, count)
                    .ifPresent(
                        why -> {
                          throw new ChangedSourceException(
                              "Source topic %s: %s".formatted(topic, why));
                        }));
    return logs.withIds(offsets, described);
  }

  private Collection<String> topics() throws ExecutionException, InterruptedException {
    if (rules.hasPatterns()) {
      return rules.covered(admin.listTopics().names().get());
    }
    return Stream.of(true, false).flatMap(keyed -> rules.named(keyed).stream()).toList();
  }

  private void recordKeyed(Map<String, Integer> now)
      throws ExecutionException, InterruptedException {
    Map<String, Integer> keyed = new HashMap<>(now);
    keyed.keySet().removeIf(topic -> !isKeyed(topic));
    recorded.record(keyed);
  }

  private boolean isKeyed(String topic) {
    return rules.of(topic).filter(Source::isKeyed).isPresent();
  }

  /**
   * Adds partitions to the changelog of definitions, which Streams never does. That is safe, as
   * existing entries stay with their task.
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

  /** Whether the group should rebalance, as partitions are unassigned; true once per request. */
  boolean takeRebalanceRequest() {
    return unassigned.takeRebalanceRequest();
  }
}
