package dev.rondo.topology.order;

import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * The source partitions whose points wait for each other, as last listed. They grow while the
 * topology runs: whoever lists them writes it, decode and consolidate read it. Safe to share
 * between threads.
 */
public final class MergedPartitions {
  private final boolean isMerging;
  private final Predicate<String> topics;
  private volatile Set<TopicPartition> partitions = Set.of();

  private MergedPartitions(boolean isMerging, Predicate<String> topics) {
    this.isMerging = isMerging;
    this.topics = topics;
  }

  /** No point waits for another. */
  public static MergedPartitions none() {
    return new MergedPartitions(false, topic -> false);
  }

  /** Those of these topics; none is listed yet. */
  public static MergedPartitions of(Predicate<String> topics) {
    return new MergedPartitions(true, topics);
  }

  /** Whether any are merged. */
  public boolean isMerging() {
    return isMerging;
  }

  /** Those of the topic, all that are listed and any that are made later. */
  public boolean includes(String topic) {
    return topics.test(topic);
  }

  /** The partitions as last listed. */
  public Set<TopicPartition> partitions() {
    return partitions;
  }

  /**
   * Takes a listing.
   *
   * @param all partitions of the sources; those that are not merged are left out
   */
  public void list(Set<TopicPartition> all) {
    partitions =
        all.stream().filter(p -> includes(p.topic())).collect(Collectors.toUnmodifiableSet());
  }
}
