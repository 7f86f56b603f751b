package dev.rondo.topology.order;

import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * The source partitions that are merged, as last listed. Their number grows while the topology
 * runs: partition discovery updates it, decode and consolidate read it. Safe to share between
 * threads.
 */
public final class MergedPartitions {
  private final boolean isMerging;
  private final Predicate<String> topics;
  private volatile Set<TopicPartition> partitions = Set.of();

  private MergedPartitions(boolean isMerging, Predicate<String> topics) {
    this.isMerging = isMerging;
    this.topics = topics;
  }

  /** Merges no partitions. */
  public static MergedPartitions none() {
    return new MergedPartitions(false, topic -> false);
  }

  /** Merges the partitions of these topics; none is listed yet. */
  public static MergedPartitions of(Predicate<String> topics) {
    return new MergedPartitions(true, topics);
  }

  /** Whether any partitions are merged. */
  public boolean isMerging() {
    return isMerging;
  }

  /** Whether the partitions of the topic are merged, including those that are created later. */
  public boolean includes(String topic) {
    return topics.test(topic);
  }

  /** The merged partitions, as last listed. */
  public Set<TopicPartition> partitions() {
    return partitions;
  }

  /**
   * Replaces the listed partitions.
   *
   * @param all partitions of the sources; those that are not merged are ignored
   */
  public void update(Set<TopicPartition> all) {
    partitions =
        all.stream().filter(p -> includes(p.topic())).collect(Collectors.toUnmodifiableSet());
  }
}
