package dev.rondo.topology.consolidate;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.internals.CacheFlushListener;
import org.apache.kafka.streams.state.internals.CachedStateStore;

/**
 * The segments of a task as objects on the heap, written back to a logged key-value store before
 * every commit: one changelog record a changed segment, nothing a point.
 *
 * <p>The write must reach the changelog before the offsets of the points are committed. Streams
 * calls {@link #flushCache()} at that moment, as it does for its own caching stores: {@link
 * CachedStateStore} is internal to Streams, and this is the only class that knows it.
 */
final class SegmentStore implements StateStore, CachedStateStore<Bytes, byte[]> {
  private final KeyValueStore<Bytes, byte[]> inner;
  private final Map<Integer, Segment> segments = new HashMap<>();
  private final List<Segment> dirty = new ArrayList<>();
  private SegmentCodec codec;

  SegmentStore(KeyValueStore<Bytes, byte[]> inner) {
    this.inner = inner;
  }

  /** Reads all segments after the changelog was restored. Those whose policy is gone stay out. */
  void load(SegmentCodec codec, long wallMs) {
    this.codec = codec;
    segments.clear();
    dirty.clear();
    try (KeyValueIterator<Bytes, byte[]> entries = inner.all()) {
      entries.forEachRemaining(
          entry -> {
            int number = ByteBuffer.wrap(entry.key.get()).getInt();
            codec
                .read(number, entry.value, wallMs)
                .ifPresent(segment -> segments.put(number, segment));
          });
    }
  }

  Iterable<Segment> all() {
    return segments.values();
  }

  /** The segment of this number; null where there is none. */
  Segment get(int number) {
    return segments.get(number);
  }

  void add(Segment segment) {
    segments.put(segment.number(), segment);
    changed(segment);
  }

  /** To be called after every change of a segment. */
  void changed(Segment segment) {
    if (!segment.dirty) {
      segment.dirty = true;
      dirty.add(segment);
    }
  }

  @Override
  public void flushCache() {
    for (Segment segment : dirty) {
      Bytes key = Bytes.wrap(ByteBuffer.allocate(Integer.BYTES).putInt(segment.number()).array());
      inner.put(key, codec.write(segment));
      segment.dirty = false;
    }
    dirty.clear();
  }

  @Override
  public void clearCache() {
    segments.clear();
    dirty.clear();
  }

  @Override
  public boolean setFlushListener(
      CacheFlushListener<Bytes, byte[]> listener, boolean sendOldValues) {
    return false; // rows are forwarded by the processor, not by the store
  }

  @Override
  public String name() {
    return inner.name();
  }

  @Override
  public void init(StateStoreContext context, StateStore root) {
    inner.init(context, root);
  }

  @Override
  public void commit(Map<TopicPartition, Long> changelogOffsets) {
    inner.commit(changelogOffsets);
  }

  @Override
  public void close() {
    inner.close();
  }

  @Override
  public boolean persistent() {
    return inner.persistent();
  }

  @Override
  public boolean isOpen() {
    return inner.isOpen();
  }
}
