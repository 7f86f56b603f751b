package dev.rondo.topology.consolidate;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/** The segments of a task by number: one changelog record a changed segment and commit. */
final class SegmentStore extends WriteBackStore {
  private final Map<Integer, Segment> segments = new HashMap<>();
  private final List<Integer> leftOut = new ArrayList<>();
  private final List<Segment> dirty = new ArrayList<>();
  private SegmentCodec codec;

  SegmentStore(KeyValueStore<Bytes, byte[]> inner) {
    super(inner);
  }

  /** Reads all segments after the changelog was restored. Those whose policy is gone stay out. */
  void load(SegmentCodec codec, long wallMs) {
    forget();
    this.codec = codec;
    try (KeyValueIterator<Bytes, byte[]> entries = inner().all()) {
      entries.forEachRemaining(
          entry -> {
            int number = ByteBuffer.wrap(entry.key.get()).getInt();
            codec
                .read(number, entry.value, wallMs)
                .ifPresentOrElse(
                    segment -> segments.put(number, segment), () -> leftOut.add(number));
          });
    }
  }

  Iterable<Segment> all() {
    return segments.values();
  }

  /** Numbers of the segments whose policy is gone. */
  List<Integer> leftOut() {
    return List.copyOf(leftOut);
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
  void writeBack(KeyValueStore<Bytes, byte[]> inner) {
    for (Segment segment : dirty) {
      byte[] key = ByteBuffer.allocate(Integer.BYTES).putInt(segment.number()).array();
      inner.put(Bytes.wrap(key), codec.write(segment));
      segment.dirty = false;
    }
    dirty.clear();
  }

  @Override
  void forget() {
    segments.clear();
    leftOut.clear();
    dirty.clear();
    if (codec != null) {
      codec.memory().close();
    }
  }
}
