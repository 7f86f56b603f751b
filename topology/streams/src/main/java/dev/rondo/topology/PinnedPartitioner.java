package dev.rondo.topology;

import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.processor.StreamPartitioner;

/**
 * Partitions records by the partition count at the first record, so that related records stay in
 * order if the topic grows while the topology runs. The next start rejects the changed count.
 */
final class PinnedPartitioner<K, V> implements StreamPartitioner<K, V> {
  private final Routing<K, V> routing;
  private volatile int pinned;

  /** Maps a record to one of {@code count} partitions. */
  @FunctionalInterface
  interface Routing<K, V> {
    int partition(K key, V value, int count);
  }

  PinnedPartitioner(Routing<K, V> routing) {
    this.routing = routing;
  }

  @Override
  @SuppressWarnings("removal") // in Kafka 4.4 still the only abstract method
  public Optional<Set<Integer>> partitions(String topic, K key, V value, int count) {
    if (pinned == 0) {
      pinned = count; // every thread sets the same count
    }
    return Optional.of(Set.of(routing.partition(key, value, pinned)));
  }
}
