package dev.rondo.topology.order;

import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * The merged source partitions, as last listed. Partition discovery updates them; decode and
 * consolidate read them. Safe to share between threads.
 */
public final class MergedPartitions {
  private final boolean isMerging;
  private final Predicate<String> topics;
  private volatile Set<TopicPartition> partitions = Set.of();

  private MergedPartitions(boolean isMerging, Predicate<String> topics) {
    this.isMerging = isMerging;
    this.topics = topics;
  }

  public static MergedPartitions none() {
    return new MergedPartitions(false, topic -> false);
  }

  /** Merges the partitions of these topics, once they are listed. */
  public static MergedPartitions of(Predicate<String> topics) {
    return new MergedPartitions(true, topics);
  }

  public boolean isMerging() {
    return isMerging;
  }

  /** Whether partitions of the topic are merged, including later ones. */
  public boolean includes(String topic) {
    return topics.test(topic);
  }

  public Set<TopicPartition> partitions() {
    return partitions;
  }

  /**
   * Sets the listed partitions.
   *
   * @param all all source partitions; those that are not merged are ignored
   */
  public void update(Set<TopicPartition> all) {
    partitions =
        all.stream().filter(p -> includes(p.topic())).collect(Collectors.toUnmodifiableSet());
  }
}
