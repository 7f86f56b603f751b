package dev.rondo.topology.segment;

import dev.rondo.topology.state.HeldBytes;
import dev.rondo.topology.state.WriteBackStore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/** The segments of a task by number. A commit writes one changelog record per changed segment. */
public final class SegmentStore extends WriteBackStore {
  private final Map<Integer, Segment> segments = new HashMap<>();

  /** Key of the version of the policies; other keys are numbers of segments. */
  static final Bytes VERSION = key(-1);

  private final List<Integer> withoutPolicy = new ArrayList<>();
  private SegmentCodec codec;
  private int policyVersion;
  private boolean isVersionWritten;

  public SegmentStore(KeyValueStore<Bytes, byte[]> inner, HeldBytes held) {
    super(inner, held);
  }

  /** Version of the policies that the state was written under; 0 if none. */
  public int policyVersion() {
    clearCache(); // a suspended task still has it
    byte[] written = inner().get(VERSION);
    return written == null ? 0 : ByteBuffer.wrap(written).getInt();
  }

  /**
   * Reads all segments of existing policies, after the changelog has been restored.
   *
   * @param policyVersion version of the policies of {@code codec}
   */
  public void load(SegmentCodec codec, int policyVersion) {
    clearCache();
    this.codec = codec;
    this.isVersionWritten = false;
    this.policyVersion = policyVersion;
    loadOthers();
  }

  /** Sets another version of the policies, which the codec already uses. */
  public void take(int policyVersion) {
    this.isVersionWritten = false;
    this.policyVersion = policyVersion;
  }

  /** Reads and returns the segments that are not loaded and whose policies exist. */
  public List<Segment> loadOthers() {
    List<Segment> loaded = new ArrayList<>();
    withoutPolicy.clear();
    take((key, bytes) -> !key.equals(VERSION) && load(number(key), bytes, loaded));
    return loaded;
  }

  /** Reads a segment. Returns false, and keeps its bytes, if its policy does not exist. */
  private boolean load(int number, byte[] bytes, List<Segment> loaded) {
    Optional<Segment> segment = codec.read(number, bytes);
    segment.ifPresentOrElse(loaded::add, () -> withoutPolicy.add(number));
    segment.ifPresent(s -> segments.put(number, s));
    return segment.isPresent();
  }

  /** Releases a segment whose policy no longer exists; its bytes and number are kept. */
  public void release(Segment segment) {
    byte[] bytes = codec.write(segment);
    inner().put(key(segment.number()), bytes);
    keep(key(segment.number()), bytes);
    segments.remove(segment.number());
    withoutPolicy.add(segment.number());
  }

  public Collection<Segment> all() {
    return segments.values();
  }

  /** Numbers of the segments that are not loaded, as their policy does not exist. */
  public List<Integer> withoutPolicy() {
    return List.copyOf(withoutPolicy);
  }

  /** Returns the segment of this number; null if it is not loaded. */
  public Segment get(int number) {
    return segments.get(number);
  }

  public void add(Segment segment) {
    segments.put(segment.number(), segment);
    segment.changed();
  }

  @Override
  protected void writeBack(KeyValueStore<Bytes, byte[]> inner) {
    for (Segment segment : segments.values()) {
      if (segment.isChanged()) {
        inner.put(key(segment.number()), codec.write(segment));
        segment.written();
      }
    }
    if (!isVersionWritten && policyVersion > 0) {
      inner.put(VERSION, version());
      isVersionWritten = true;
    }
  }

  @Override
  protected void giveBack(KeyValueStore<Bytes, byte[]> held) {
    segments.values().forEach(s -> held.put(key(s.number()), codec.write(s)));
    if (policyVersion > 0) {
      held.put(VERSION, version());
    }
  }

  private byte[] version() {
    return ByteBuffer.allocate(Integer.BYTES).putInt(policyVersion).array();
  }

  private static Bytes key(int number) {
    return Bytes.wrap(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
  }

  private static int number(Bytes key) {
    return ByteBuffer.wrap(key.get()).getInt();
  }

  @Override
  protected void forget() {
    segments.clear();
    withoutPolicy.clear();
    policyVersion = 0;
    if (codec != null) {
      codec.memory().close();
      codec = null; // it refers to the task, whose locations refer to their segments
    }
  }
}
