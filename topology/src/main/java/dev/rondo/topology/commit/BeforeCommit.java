package dev.rondo.topology.commit;

import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.state.internals.CacheFlushListener;
import org.apache.kafka.streams.state.internals.CachedStateStore;

/**
 * A store that has something to do before the offsets of its task are committed, whatever the
 * commit is for. Streams calls {@link #flushCache()} at that moment, as it does for its own caching
 * stores: {@link CachedStateStore} is internal to Streams, and this is the only place that knows
 * it.
 */
public interface BeforeCommit extends StateStore, CachedStateStore<Bytes, byte[]> {
  /** The task goes: nothing is committed of what came since the last time. */
  @Override
  void clearCache();

  @Override
  default boolean setFlushListener(
      CacheFlushListener<Bytes, byte[]> listener, boolean sendOldValues) {
    return false; // what is forwarded is the processor's business
  }
}
