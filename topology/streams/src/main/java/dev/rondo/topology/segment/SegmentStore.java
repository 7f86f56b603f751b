package dev.rondo.topology.segment;

import dev.rondo.topology.state.HeldBytes;
import dev.rondo.topology.state.WriteBackStore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/** The segments of a task by number. A commit writes one changelog record per changed segment. */
public final class SegmentStore extends WriteBackStore {
  private final Map<Integer, Segment> segments = new HashMap<>();
  private final List<Integer> withoutPolicy = new ArrayList<>();
  private SegmentCodec codec;

  /** Stores segments in {@code inner}, over {@code held}. */
  public SegmentStore(KeyValueStore<Bytes, byte[]> inner, HeldBytes held) {
    super(inner, held);
  }

  /** Reads all segments after the changelog was restored, without those of removed policies. */
  public void load(SegmentCodec codec) {
    clearCache(); // a task that was suspended has them still
    this.codec = codec;
    take((key, bytes) -> load(ByteBuffer.wrap(key.get()).getInt(), bytes));
  }

  /** Reads a segment. Returns false if the policies file lacks its policy: its bytes stay. */
  private boolean load(int number, byte[] bytes) {
    Optional<Segment> segment = codec.read(number, bytes);
    segment.ifPresentOrElse(s -> segments.put(number, s), () -> withoutPolicy.add(number));
    return segment.isPresent();
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
        inner.put(key(segment), codec.write(segment));
        segment.written();
      }
    }
  }

  @Override
  protected void giveBack(KeyValueStore<Bytes, byte[]> held) {
    segments.values().forEach(segment -> held.put(key(segment), codec.write(segment)));
  }

  private static Bytes key(Segment segment) {
    return Bytes.wrap(ByteBuffer.allocate(Integer.BYTES).putInt(segment.number()).array());
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
