package dev.rondo.topology.state;

import java.util.Map;
import java.util.function.BiPredicate;
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
  private final HeldBytes held;

  /**
   * A store of objects.
   *
   * @param inner receives what is written, for the changelog
   * @param held the bytes below {@code inner}
   */
  protected WriteBackStore(KeyValueStore<Bytes, byte[]> inner, HeldBytes held) {
    this.inner = inner;
    this.held = held;
  }

  /** Writes to {@code inner} what has changed since the last write. */
  protected abstract void writeBack(KeyValueStore<Bytes, byte[]> inner);

  /**
   * Discards the objects on the heap, which the changelog holds, and returns their memory to the
   * instance. Called whenever a task leaves, possibly more than once.
   */
  protected abstract void forget();

  /** Writes all objects whose bytes were taken, when they are needed as bytes again. */
  protected void giveBack(KeyValueStore<Bytes, byte[]> held) {}

  protected final KeyValueStore<Bytes, byte[]> inner() {
    return inner;
  }

  /**
   * Passes on all entries that the changelog has, and releases the bytes of those that {@code
   * taken} accepts, because they are objects now: {@link #giveBack} writes them.
   */
  protected final void take(BiPredicate<Bytes, byte[]> taken) {
    held.take(taken);
  }

  /** Returns the bytes of an entry that was taken and is no object any more. */
  protected final void keep(Bytes key, byte[] value) {
    held.keep(key, value);
  }

  @Override
  public final void flushCache() {
    writeBack(inner);
  }

  /** The task becomes a standby, which goes on from the bytes, or is restarted. */
  @Override
  public final void clearCache() {
    held.hold();
    giveBack(held);
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
