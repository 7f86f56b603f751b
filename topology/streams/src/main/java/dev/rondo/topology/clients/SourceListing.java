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
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the source partitions again and again while the topology runs, so that those that are made
 * meanwhile are waited for before a point of theirs can be overtaken. A keyed source that has grown
 * ends the topology: its series would move. Safe to share between threads.
 */
public final class SourceListing {
  private static final Logger LOG = LoggerFactory.getLogger(SourceListing.class);

  private final Admin admin;
  private final SourceRules rules;
  private final String applicationId;
  private final int mostKeyed;
  private final RecordedPartitions recorded;
  private final MergedPartitions merged;
  private final UnassignedPartitions unread;

  private Map<String, Integer> counts = Map.of();
  private volatile ConfigException refusal;

  public SourceListing(
      Admin admin,
      TopologyConfig config,
      SourceRules rules,
      RecordedPartitions recorded,
      MergedPartitions merged,
      UnassignedPartitions unread) {
    this.admin = admin;
    this.rules = rules;
    this.applicationId = config.getString("application.id");
    this.mostKeyed = config.getInt("partitions");
    this.recorded = recorded;
    this.merged = merged;
    this.unread = unread;
  }

  /**
   * Lists them.
   *
   * @param nowMs by a clock that only goes forward
   * @throws ConfigException where a keyed source has grown; nothing is listed any more
   */
  public void list(long nowMs) throws ExecutionException, InterruptedException {
    Map<String, Integer> now = PartitionCounts.of(admin, topics());
    try {
      refuseGrown(now);
    } catch (ConfigException e) {
      refusal = e;
      throw e;
    }
    if (!now.equals(counts)) {
      growDefinitions(now);
      LOG.info("partitions of the sources: {}, were {}", now, counts);
      counts = now;
    }
    Set<TopicPartition> partitions = PartitionCounts.partitions(now);
    merged.list(partitions);
    unread.look(admin, partitions, nowMs);
  }

  private Collection<String> topics() throws ExecutionException, InterruptedException {
    if (rules.hasPatterns()) {
      return rules.covered(admin.listTopics().names().get());
    }
    return Stream.of(true, false).flatMap(keyed -> rules.named(keyed).stream()).toList();
  }

  private void refuseGrown(Map<String, Integer> now)
      throws ExecutionException, InterruptedException {
    Map<String, Integer> keyed = new HashMap<>(now);
    keyed.keySet().removeIf(topic -> !isKeyed(topic));
    RondoTopics.checkKeyed(keyed, mostKeyed);
    recorded.check(keyed);
  }

  private boolean isKeyed(String topic) {
    return rules.of(topic).filter(Source::isKeyed).isPresent();
  }

  /**
   * Streams gives a changelog as many partitions as its step has tasks, and cannot add any. Those
   * of the definitions can simply be added: what is in the others stays with its task.
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
      LOG.info("topic {} has {} partitions now, as the largest source has", changelog, most);
    }
  }

  /** Ends the thread that calls it where a keyed source has grown, as was found by now. */
  void refuseGrown() {
    ConfigException found = refusal;
    if (found != null) {
      throw found;
    }
  }

  /**
   * Asks whether a keyed source has grown: what was read of it before is not to be committed then.
   *
   * @throws ConfigException where one has
   * @throws TimeoutException where it cannot be asked for now
   */
  void refuseGrownNow() {
    try {
      refuseGrown(
          PartitionCounts.of(admin, counts.keySet().stream().filter(this::isKeyed).toList()));
    } catch (ExecutionException e) {
      throw new TimeoutException("the partitions of keyed sources cannot be had for now", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaException(e);
    }
  }

  /** Whether the group should assign anew, as nobody reads some of the partitions; told once. */
  boolean takeUnread() {
    return unread.take();
  }
}
