package dev.rondo.topology.consolidate;

import dev.rondo.schemas.Point;
import dev.rondo.topology.config.FormatVersion;
import dev.rondo.topology.lag.Arrival;
import dev.rondo.topology.order.Batch;
import dev.rondo.topology.order.BufferedSeries;
import dev.rondo.topology.order.MergeSink;
import dev.rondo.topology.order.Progress;
import dev.rondo.topology.order.SourceMerge;
import dev.rondo.topology.state.HeldBytes;
import dev.rondo.topology.state.WriteBackStore;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The batches that the merge buffers. Their offsets are committed like those of stored points, so
 * each commit writes the new batches that are still buffered.
 *
 * <pre>
 *   key        value
 *   number     up to 256 KB of batches that arrived since the last commit and are still buffered
 *   RELEASED   which points of the written batches have been released since, one bit each
 * </pre>
 *
 * <p>A number is reused once all its points have been released, so that the changelog has few keys.
 * If commits are not atomic, a point counts as released one commit later, when the written state
 * certainly includes it; duplicates after a crash are recognized by their times.
 *
 * @param <S> class of the known series
 */
final class MergeBufferStore<S extends BufferedSeries> extends WriteBackStore {
  private static final int MAX_BYTES = 256 * 1024;
  private static final int RELEASED = -1;

  private final FormatVersion format;
  private SourceMerge<S> merge;
  private final Map<ByteBuffer, ByteBuffer> sources = new HashMap<>();

  /** By the sequence of their first point. */
  private final NavigableMap<Long, WrittenBatches> written = new TreeMap<>();

  /** Batches from sequence {@link #firstUnwritten} on. */
  private final List<Batch> unwritten = new ArrayList<>();

  /** Released points of unwritten batches, by sequence minus {@link #firstUnwritten}. */
  private final BitSet unwrittenReleased = new BitSet();

  private long firstUnwritten;
  private long nextSequence;
  private byte[] released;
  private final Deque<Integer> free = new ArrayDeque<>();
  private int nextNumber;
  private boolean commitsAtomically;
  private int replayEpoch;

  MergeBufferStore(KeyValueStore<Bytes, byte[]> inner, HeldBytes held, FormatVersion format) {
    super(inner, held);
    this.format = format;
  }

  /**
   * Reads the buffered batches into an empty {@code merge}, after the changelog has been restored.
   * Batches from before the replay {@code replayEpoch} are skipped: it sends them again.
   *
   * @param commitsAtomically whether all stores and offsets are committed together or not at all
   */
  void load(SourceMerge<S> merge, boolean commitsAtomically, int replayEpoch) {
    forget();
    this.merge = merge;
    this.commitsAtomically = commitsAtomically;
    this.replayEpoch = replayEpoch;
    released = inner().get(key(RELEASED));
    Map<Long, BitSet> releasedByFirst =
        released == null ? Map.of() : MergeBufferCodec.readReleased(released);
    List<Batch> batches = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> entries = inner().all()) { // numbers ascend
      entries.forEachRemaining(
          entry -> {
            int number = ByteBuffer.wrap(entry.key.get()).getInt();
            if (number != RELEASED) {
              while (nextNumber < number) {
                free.add(nextNumber++);
              }
              nextNumber++;
              batches.addAll(buffered(number, MergeBufferCodec.read(entry.value), releasedByFirst));
            }
          });
    }
    batches.sort(Comparator.comparingLong(Batch::sequence));
    batches.forEach(batch -> merge.add(batch, writtenWith(batch).releasedOf(batch)));
    merge.reportMemory();
  }

  private WrittenBatches writtenWith(Batch batch) {
    return written.floorEntry(batch.sequence()).getValue();
  }

  private List<Batch> buffered(
      int number, MergeBufferCodec.Written entry, Map<Long, BitSet> releasedByFirst) {
    List<Batch> batches = entry.batches();
    BitSet releasedBits = releasedByFirst.getOrDefault(batches.get(0).sequence(), new BitSet());
    boolean isRewound = entry.replayEpoch() < replayEpoch;
    WrittenBatches group = wrote(number, batches, isRewound ? null : releasedBits);
    return batches.stream()
        .filter(batch -> group.releasedOf(batch).cardinality() < batch.points().size())
        .toList();
  }

  /**
   * Tracks batches written under a number.
   *
   * @param released released points, by sequence relative to the first; null = all
   */
  private WrittenBatches wrote(int number, List<Batch> batches, BitSet released) {
    long first = batches.get(0).sequence();
    Batch last = batches.get(batches.size() - 1);
    int size = (int) (last.sequence() - first) + last.points().size();
    BitSet releasedBits = new BitSet(size);
    releasedBits.set(0, size);
    if (released != null) {
      for (Batch batch : batches) { // sequences between them were not written
        int from = (int) (batch.sequence() - first);
        releasedBits.clear(from, from + batch.points().size());
      }
      releasedBits.or(released);
    }
    WrittenBatches group = new WrittenBatches(number, first, size, releasedBits);
    written.put(first, group);
    firstUnwritten = Math.max(firstUnwritten, first + size);
    nextSequence = firstUnwritten;
    return group;
  }

  /**
   * Buffers a batch.
   *
   * @param source id of the source partition
   * @param offset offset of the source record
   * @param streamTimeMs newest record time of the source partition up to it, epoch ms
   * @param policy policy of new series; empty = the first that matches
   */
  void add(byte[] source, long offset, long streamTimeMs, String policy, List<Point> points) {
    ByteBuffer known = sources.computeIfAbsent(ByteBuffer.wrap(source), id -> id);
    Batch batch = new Batch(nextSequence, known, offset, streamTimeMs, policy, points);
    nextSequence += points.size();
    unwritten.add(batch);
    merge.add(batch, null);
  }

  /** Moves buffered points to a series that the index now knows. */
  void registered(S series) {
    merge.registered(series);
  }

  /** Keeps the buffered points of a series that the index no longer knows. */
  void retired(S series) {
    merge.retired(series);
  }

  /** Updates the progress of a source partition. */
  void reach(byte[] source, Progress progress, long nowMs) {
    merge.reach(ByteBuffer.wrap(source), progress, nowMs);
  }

  /** Releases the points that are due. Returns how many were evicted. */
  int release(MergeSink<S> sink) {
    return merge.release(releasing(sink));
  }

  void releaseAll(MergeSink<S> sink) {
    merge.releaseAll(releasing(sink));
  }

  /** Number of buffered points of a series. */
  int buffered(String ident) {
    return merge.buffered(ident);
  }

  /** The source partitions that buffered points wait for. */
  List<TopicPartition> awaited() {
    return merge.awaited();
  }

  List<Arrival> buffered() {
    return merge.buffered();
  }

  /** {@link SourceMerge#heldBack}. */
  Arrival heldBack() {
    return merge.heldBack();
  }

  private MergeSink<S> releasing(MergeSink<S> sink) {
    return (batch, index, series) -> {
      long sequence = batch.sequence() + index;
      if (sequence < firstUnwritten) {
        written.floorEntry(sequence).getValue().release(sequence);
      } else {
        unwrittenReleased.set((int) (sequence - firstUnwritten));
      }
      sink.point(batch, index, series);
    };
  }

  @Override
  protected void writeBack(KeyValueStore<Bytes, byte[]> inner) {
    if (merge != null) { // a standby only restores
      merge.reportMemory();
    }
    Map<Long, BitSet> releasedByFirst = new TreeMap<>();
    List<Integer> freed = free(releasedByFirst);
    writeUnwritten(inner, new ArrayDeque<>(freed), releasedByFirst);
    byte[] now = releasedByFirst.isEmpty() ? null : MergeBufferCodec.writeReleased(releasedByFirst);
    if (!Arrays.equals(now, released)) {
      inner.put(key(RELEASED), now);
      released = now;
    }
  }

  /**
   * Returns the numbers whose points have all been released.
   *
   * @param releasedByFirst receives the released points of the other numbers
   */
  private List<Integer> free(Map<Long, BitSet> releasedByFirst) {
    List<Integer> freed = new ArrayList<>();
    for (Iterator<WrittenBatches> all = written.values().iterator(); all.hasNext(); ) {
      WrittenBatches batches = all.next();
      BitSet releasedBits = batches.releasedFor(commitsAtomically);
      if (batches.areAllReleased(releasedBits)) {
        freed.add(batches.number());
        all.remove();
      } else if (!releasedBits.isEmpty()) {
        releasedByFirst.put(batches.first(), releasedBits);
      }
    }
    return freed;
  }

  private void writeUnwritten(
      KeyValueStore<Bytes, byte[]> inner, Deque<Integer> freed, Map<Long, BitSet> releasedByFirst) {
    long first = firstUnwritten;
    long next = nextSequence;
    unwritten.removeIf(
        batch -> releasedUnwritten(batch, first).cardinality() == batch.points().size());
    for (List<Batch> rest = unwritten; !rest.isEmpty(); ) {
      var bytes = new ByteArrayOutputStream();
      int count = MergeBufferCodec.writeFirst(rest, replayEpoch, MAX_BYTES, format, bytes);
      List<Batch> batches = rest.subList(0, count);
      int number = freed.isEmpty() ? freeNumber() : freed.remove();
      Batch last = batches.get(count - 1);
      int from = (int) (batches.get(0).sequence() - first);
      int until = (int) (last.sequence() - first) + last.points().size();
      BitSet releasedBits = unwrittenReleased.get(from, until);
      WrittenBatches group = wrote(number, batches, releasedBits);
      if (!releasedBits.isEmpty()) {
        releasedByFirst.put(group.first(), releasedBits);
      }
      inner.put(key(number), bytes.toByteArray());
      rest = rest.subList(count, rest.size());
    }
    unwritten.clear();
    unwrittenReleased.clear();
    firstUnwritten = next;
    nextSequence = next;
    freed.forEach(number -> inner.delete(key(number)));
    free.addAll(freed);
  }

  private BitSet releasedUnwritten(Batch batch, long first) {
    int from = (int) (batch.sequence() - first);
    return unwrittenReleased.get(from, from + batch.points().size());
  }

  private int freeNumber() {
    return free.isEmpty() ? nextNumber++ : free.remove();
  }

  @Override
  protected void forget() {
    if (merge != null) {
      merge.close();
    }
    merge = null;
    sources.clear();
    written.clear();
    unwritten.clear();
    unwrittenReleased.clear();
    firstUnwritten = 0;
    nextSequence = 0;
    released = null;
    free.clear();
    nextNumber = 0;
  }

  private static Bytes key(int number) {
    return Bytes.wrap(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
  }
}
