package dev.rondo.topology.consolidate;

import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.internals.CacheFlushListener;
import org.apache.kafka.streams.state.internals.CachedStateStore;

/**
 * State as objects on the heap, written back to a logged key-value store before every commit:
 * nothing a point, one changelog record a changed object and commit.
 *
 * <p>The write must reach the changelog before the offsets of the points are committed. Streams
 * calls {@link #flushCache()} at that moment, as it does for its own caching stores: {@link
 * CachedStateStore} is internal to Streams, and this is the only class that knows it.
 */
abstract class WriteBackStore implements StateStore, CachedStateStore<Bytes, byte[]> {
  private final KeyValueStore<Bytes, byte[]> inner;

  WriteBackStore(KeyValueStore<Bytes, byte[]> inner) {
    this.inner = inner;
  }

  /** Writes to {@code inner} what has changed since the last time. */
  abstract void writeBack(KeyValueStore<Bytes, byte[]> inner);

  /**
   * Forgets the objects on the heap and gives back what they have taken of the instance: what is in
   * the changelog counts. Called whenever a task leaves, maybe more than once.
   */
  abstract void forget();

  final KeyValueStore<Bytes, byte[]> inner() {
    return inner;
  }

  @Override
  public final void flushCache() {
    writeBack(inner);
  }

  @Override
  public final void clearCache() {
    forget();
  }

  @Override
  public final boolean setFlushListener(
      CacheFlushListener<Bytes, byte[]> listener, boolean sendOldValues) {
    return false; // rows are forwarded by the processor, not by the store
  }

  @Override
  public final String name() {
    return inner.name();
  }

  @Override
  public final void init(StateStoreContext context, StateStore root) {
    inner.init(context, root);
  }

  @Override
  public final void commit(Map<TopicPartition, Long> changelogOffsets) {
    inner.commit(changelogOffsets);
  }

  /**
   * Streams calls {@link #clearCache()} only where a task becomes a standby; a task that leaves, in
   * whatever way, only closes its stores.
   */
  @Override
  public final void close() {
    try {
      inner.close();
    } finally {
      forget();
    }
  }

  @Override
  public final boolean persistent() {
    return inner.persistent();
  }

  @Override
  public final boolean isOpen() {
    return inner.isOpen();
  }
}
