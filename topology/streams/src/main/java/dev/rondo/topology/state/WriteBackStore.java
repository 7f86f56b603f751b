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
 * Holds state as objects on the heap and writes it to a logged key-value store before every commit.
 * A point costs nothing; each commit writes one changelog record per changed object.
 *
 * <p>The write must reach the changelog before the offsets of the points are committed. Streams
 * calls {@link #flushCache()} at that moment, as it does for its own caching stores. {@link
 * CachedStateStore} is internal to Streams; only this class uses it.
 */
public abstract class WriteBackStore implements StateStore, CachedStateStore<Bytes, byte[]> {
  private final KeyValueStore<Bytes, byte[]> inner;
  private final HeldBytes held;

  /**
   * @param inner logged store that receives all writes
   * @param held bytes below {@code inner}
   */
  protected WriteBackStore(KeyValueStore<Bytes, byte[]> inner, HeldBytes held) {
    this.inner = inner;
    this.held = held;
  }

  /** Writes the changes since the last write to {@code inner}. */
  protected abstract void writeBack(KeyValueStore<Bytes, byte[]> inner);

  /**
   * Discards the objects on the heap and returns their memory to the instance. Called when a task
   * is closed or becomes a standby, perhaps more than once.
   */
  protected abstract void forget();

  /** Writes all objects whose bytes were taken back to {@code held}. */
  protected void giveBack(KeyValueStore<Bytes, byte[]> held) {}

  protected final KeyValueStore<Bytes, byte[]> inner() {
    return inner;
  }

  /**
   * Passes all entries to {@code taken} and releases the bytes of those that it accepts, which are
   * objects from then on. {@link #giveBack} writes them back.
   */
  protected final void take(BiPredicate<Bytes, byte[]> taken) {
    held.take(taken);
  }

  /** Holds the bytes of a taken entry that is no longer an object. */
  protected final void keep(Bytes key, byte[] value) {
    held.keep(key, value);
  }

  @Override
  public final void flushCache() {
    writeBack(inner);
  }

  /** Called when the task becomes a standby, which continues from the bytes, or is restarted. */
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
   * Closes the store and discards the objects, as Streams calls {@link #clearCache()} only if a
   * task becomes a standby.
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
