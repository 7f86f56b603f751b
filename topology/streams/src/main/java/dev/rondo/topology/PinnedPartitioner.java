package dev.rondo.topology;

import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.processor.StreamPartitioner;

/**
 * Sends records to partitions by the number of them that there was at first: what belongs together
 * stays in order though the topic grows while the topology runs. At its next start that is refused.
 */
final class PinnedPartitioner<K, V> implements StreamPartitioner<K, V> {
  private final Routing<K, V> routing;
  private volatile int pinned;

  /** Where a record goes, of so many partitions. */
  @FunctionalInterface
  interface Routing<K, V> {
    int partition(K key, V value, int count);
  }

  PinnedPartitioner(Routing<K, V> routing) {
    this.routing = routing;
  }

  @Override
  public Optional<Set<Integer>> partitions(String topic, K key, V value, int count) {
    if (pinned == 0) {
      pinned = count; // the same from each thread
    }
    return Optional.of(Set.of(routing.partition(key, value, pinned)));
  }
}
