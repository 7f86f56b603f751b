package dev.rondo.topology.state;

import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.internals.CacheFlushListener;
import org.apache.kafka.streams.state.internals.CachedStateStore;

/**
 * State as objects on the heap that is written to a logged key-value store before every commit. It
 * costs nothing per point, and one changelog record per changed object and commit.
 *
 * <p>The write must reach the changelog before the offsets of the points are committed. Streams
 * calls {@link #flushCache()} at that moment, as it does for its own caching stores. {@link
 * CachedStateStore} is internal to Streams; no other class uses it.
 */
public abstract class WriteBackStore implements StateStore, CachedStateStore<Bytes, byte[]> {
  private final KeyValueStore<Bytes, byte[]> inner;

  protected WriteBackStore(KeyValueStore<Bytes, byte[]> inner) {
    this.inner = inner;
  }

  /** Writes to {@code inner} what has changed since the last write. */
  protected abstract void writeBack(KeyValueStore<Bytes, byte[]> inner);

  /**
   * Discards the objects on the heap, which the changelog holds, and returns their memory to the
   * instance. Called whenever a task leaves, possibly more than once.
   */
  protected abstract void forget();

  protected final KeyValueStore<Bytes, byte[]> inner() {
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
   * Streams calls {@link #clearCache()} only if a task becomes a standby; a task that leaves closes
   * its stores.
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
