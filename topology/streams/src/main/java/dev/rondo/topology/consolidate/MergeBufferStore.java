package dev.rondo.topology.consolidate;

import dev.rondo.schemas.Point;
import dev.rondo.topology.config.FormatVersion;
import dev.rondo.topology.order.Batch;
import dev.rondo.topology.order.MergeSink;
import dev.rondo.topology.order.Progress;
import dev.rondo.topology.order.SourceMerge;
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
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The batches that wait for others. Their offsets are committed like those of points already in
 * their slots, so what waits at a commit is written; what comes and goes between two is not.
 *
 * <pre>
 *   number        batches that came since the last commit and wait at this one, some 256 KB of them
 *   LEFT          which points of those that were written have left since, a bit each
 * </pre>
 *
 * <p>When the last of them has left, the number is free for others: the changelog holds few keys.
 * Where a commit is not atomic, one has left one commit later, when its points are certainly in the
 * written state; those of a batch that is read again after a crash are told by their times.
 */
final class MergeBufferStore extends WriteBackStore {
  private static final int MAX_BYTES = 256 * 1024;
  private static final int LEFT = -1;

  private final FormatVersion format;
  private SourceMerge merge;
  private final Map<ByteBuffer, ByteBuffer> sources = new HashMap<>();

  /** By the sequence of the first. */
  private final NavigableMap<Long, WrittenBatches> written = new TreeMap<>();

  /** From the sequence {@link #firstUnwritten} on. */
  private final List<Batch> unwritten = new ArrayList<>();

  /** Their points that have left, by sequence less {@link #firstUnwritten}. */
  private final BitSet unwrittenLeft = new BitSet();

  private long firstUnwritten;
  private long nextSequence;
  private byte[] left;
  private final Deque<Integer> free = new ArrayDeque<>();
  private int nextNumber;
  private boolean commitsAtomically;
  private int replayEpoch;

  /** Writes the newest format. */
  MergeBufferStore(KeyValueStore<Bytes, byte[]> inner) {
    this(inner, FormatVersion.NEWEST);
  }

  MergeBufferStore(KeyValueStore<Bytes, byte[]> inner, FormatVersion format) {
    super(inner);
    this.format = format;
  }

  /**
   * Reads what waited, after the changelog was restored, into an empty {@code merge}; what waited
   * before the replay {@code replayEpoch} comes again and is left out.
   *
   * @param commitsAtomically whether all stores and offsets are committed together or not at all
   */
  void load(SourceMerge merge, boolean commitsAtomically, int replayEpoch) {
    forget();
    this.merge = merge;
    this.commitsAtomically = commitsAtomically;
    this.replayEpoch = replayEpoch;
    left = inner().get(key(LEFT));
    Map<Long, BitSet> leftByFirst = left == null ? Map.of() : MergeBufferCodec.readLeft(left);
    List<Batch> batches = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> entries = inner().all()) { // numbers ascend
      entries.forEachRemaining(
          entry -> {
            int number = ByteBuffer.wrap(entry.key.get()).getInt();
            if (number != LEFT) {
              while (nextNumber < number) {
                free.add(nextNumber++);
              }
              nextNumber++;
              batches.addAll(buffered(number, MergeBufferCodec.read(entry.value), leftByFirst));
            }
          });
    }
    batches.sort(Comparator.comparingLong(Batch::sequence));
    batches.forEach(batch -> merge.add(batch, writtenWith(batch).leftOf(batch)));
  }

  private WrittenBatches writtenWith(Batch batch) {
    return written.floorEntry(batch.sequence()).getValue();
  }

  private List<Batch> buffered(
      int number, MergeBufferCodec.Written entry, Map<Long, BitSet> leftByFirst) {
    List<Batch> batches = entry.batches();
    BitSet gone = leftByFirst.getOrDefault(batches.get(0).sequence(), new BitSet());
    boolean isRewound = entry.replayEpoch() < replayEpoch;
    WrittenBatches group = wrote(number, batches, isRewound ? null : gone);
    return batches.stream()
        .filter(batch -> group.leftOf(batch).cardinality() < batch.points().size())
        .toList();
  }

  /**
   * {@code batches} are written under the number.
   *
   * @param left points that have left, counted from the first one; null = all
   */
  private WrittenBatches wrote(int number, List<Batch> batches, BitSet left) {
    long first = batches.get(0).sequence();
    Batch last = batches.get(batches.size() - 1);
    int size = (int) (last.sequence() - first) + last.points().size();
    BitSet gone = new BitSet(size);
    gone.set(0, size);
    if (left != null) {
      for (Batch batch : batches) { // those between them are not here
        int from = (int) (batch.sequence() - first);
        gone.clear(from, from + batch.points().size());
      }
      gone.or(left);
    }
    WrittenBatches group = new WrittenBatches(number, first, size, gone);
    written.put(first, group);
    firstUnwritten = Math.max(firstUnwritten, first + size);
    nextSequence = firstUnwritten;
    return group;
  }

  /**
   * Lets a batch wait.
   *
   * @param source names the source partition
   * @param offset of the source record
   * @param streamTimeMs newest record time of the source partition up to it, epoch ms
   * @param policy of its series that are met for the first time
   */
  void add(byte[] source, long offset, long streamTimeMs, String policy, List<Point> points) {
    ByteBuffer known = sources.computeIfAbsent(ByteBuffer.wrap(source), id -> id);
    Batch batch = new Batch(nextSequence, known, offset, streamTimeMs, policy, points);
    nextSequence += points.size();
    unwritten.add(batch);
    merge.add(batch, null);
  }

  /** Says how far a source partition has been decoded. */
  void reach(byte[] source, Progress progress, long nowMs) {
    merge.reach(ByteBuffer.wrap(source), progress, nowMs);
  }

  /**
   * Hands on what need not wait any longer. Returns how many points left because too many waited.
   */
  int release(MergeSink sink) {
    return merge.release(releasing(sink));
  }

  /** Hands on all that waits. */
  void releaseAll(MergeSink sink) {
    merge.releaseAll(releasing(sink));
  }

  private MergeSink releasing(MergeSink sink) {
    return (batch, index) -> {
      long sequence = batch.sequence() + index;
      if (sequence < firstUnwritten) {
        written.floorEntry(sequence).getValue().leave(sequence);
      } else {
        unwrittenLeft.set((int) (sequence - firstUnwritten));
      }
      sink.point(batch, index);
    };
  }

  @Override
  void writeBack(KeyValueStore<Bytes, byte[]> inner) {
    Map<Long, BitSet> leftByFirst = new TreeMap<>();
    List<Integer> freed = free(leftByFirst);
    writeUnwritten(inner, new ArrayDeque<>(freed), leftByFirst);
    byte[] now = leftByFirst.isEmpty() ? null : MergeBufferCodec.writeLeft(leftByFirst);
    if (!Arrays.equals(now, left)) {
      inner.put(key(LEFT), now);
      left = now;
    }
  }

  /** Returns the numbers under which none waits any more; of the others, tells which have left. */
  private List<Integer> free(Map<Long, BitSet> leftByFirst) {
    List<Integer> freed = new ArrayList<>();
    for (Iterator<WrittenBatches> all = written.values().iterator(); all.hasNext(); ) {
      WrittenBatches batches = all.next();
      BitSet gone = batches.leftFor(commitsAtomically);
      if (batches.isEmpty(gone)) {
        freed.add(batches.number());
        all.remove();
      } else if (!gone.isEmpty()) {
        leftByFirst.put(batches.first(), gone);
      }
    }
    return freed;
  }

  private void writeUnwritten(
      KeyValueStore<Bytes, byte[]> inner, Deque<Integer> freed, Map<Long, BitSet> leftByFirst) {
    long first = firstUnwritten;
    long next = nextSequence;
    unwritten.removeIf(batch -> leftUnwritten(batch, first).cardinality() == batch.points().size());
    for (List<Batch> rest = unwritten; !rest.isEmpty(); ) {
      var bytes = new ByteArrayOutputStream();
      int count = MergeBufferCodec.writeFirst(rest, replayEpoch, MAX_BYTES, format, bytes);
      List<Batch> batches = rest.subList(0, count);
      int number = freed.isEmpty() ? freeNumber() : freed.remove();
      Batch last = batches.get(count - 1);
      int from = (int) (batches.get(0).sequence() - first);
      int until = (int) (last.sequence() - first) + last.points().size();
      BitSet gone = unwrittenLeft.get(from, until);
      WrittenBatches group = wrote(number, batches, gone);
      if (!gone.isEmpty()) {
        leftByFirst.put(group.first(), gone);
      }
      inner.put(key(number), bytes.toByteArray());
      rest = rest.subList(count, rest.size());
    }
    unwritten.clear();
    unwrittenLeft.clear();
    firstUnwritten = next;
    nextSequence = next;
    freed.forEach(number -> inner.delete(key(number)));
    free.addAll(freed);
  }

  private BitSet leftUnwritten(Batch batch, long first) {
    int from = (int) (batch.sequence() - first);
    return unwrittenLeft.get(from, from + batch.points().size());
  }

  private int freeNumber() {
    return free.isEmpty() ? nextNumber++ : free.remove();
  }

  @Override
  void forget() {
    if (merge != null) {
      merge.close();
    }
    merge = null;
    sources.clear();
    written.clear();
    unwritten.clear();
    unwrittenLeft.clear();
    firstUnwritten = 0;
    nextSequence = 0;
    left = null;
    free.clear();
    nextNumber = 0;
  }

  private static Bytes key(int number) {
    return Bytes.wrap(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
  }
}
