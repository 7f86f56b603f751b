package dev.rondo.topology.segment;

import dev.rondo.topology.state.WriteBackStore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/** The segments of a task by number. A commit writes one changelog record per changed segment. */
public final class SegmentStore extends WriteBackStore {
  private final Map<Integer, Segment> segments = new HashMap<>();
  private final List<Integer> withoutPolicy = new ArrayList<>();
  private SegmentCodec codec;

  public SegmentStore(KeyValueStore<Bytes, byte[]> inner) {
    super(inner);
  }

  /** Reads all segments after the changelog was restored, without those of removed policies. */
  public void load(SegmentCodec codec) {
    forget();
    this.codec = codec;
    try (KeyValueIterator<Bytes, byte[]> entries = inner().all()) {
      entries.forEachRemaining(
          entry -> {
            int number = ByteBuffer.wrap(entry.key.get()).getInt();
            codec
                .read(number, entry.value)
                .ifPresentOrElse(
                    segment -> segments.put(number, segment), () -> withoutPolicy.add(number));
          });
    }
  }

  public Iterable<Segment> all() {
    return segments.values();
  }

  /** Numbers of the segments that were not loaded, as the policies file lacks their policy. */
  public List<Integer> withoutPolicy() {
    return List.copyOf(withoutPolicy);
  }

  /** The segment of this number; null if there is none. */
  public Segment get(int number) {
    return segments.get(number);
  }

  /** Adds a new segment. */
  public void add(Segment segment) {
    segments.put(segment.number(), segment);
    segment.changed();
  }

  @Override
  protected void writeBack(KeyValueStore<Bytes, byte[]> inner) {
    for (Segment segment : segments.values()) {
      if (segment.isChanged()) {
        byte[] key = ByteBuffer.allocate(Integer.BYTES).putInt(segment.number()).array();
        inner.put(Bytes.wrap(key), codec.write(segment));
        segment.written();
      }
    }
  }

  @Override
  protected void forget() {
    segments.clear();
    withoutPolicy.clear();
    if (codec != null) {
      codec.memory().close();
    }
  }
}
