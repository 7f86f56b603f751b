package dev.rondo.topology.consolidate;

import dev.rondo.schemas.Point;
import dev.rondo.topology.order.Batch;
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
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The batches that wait for their turn. Their offsets are committed like those of points already in
 * their slots, so what waits at a commit is written; what comes and goes between two is not.
 *
 * <pre>
 *   number        batches that came since the last commit and wait at this one, some 256 KB of them
 *   LEFT          which of those that were written have left since, a bit each
 * </pre>
 *
 * <p>When the last of them has left, the number is free for others: the changelog holds few keys.
 * Where a commit is not atomic, one has left one commit later, when its points are certainly in the
 * written state; those of a batch that is read again after a crash are told by their times.
 */
final class WaitingStore extends WriteBackStore {
  private static final int MAX_BYTES = 256 * 1024;
  private static final int LEFT = -1;

  private SourceMerge merge;
  private final Map<ByteBuffer, ByteBuffer> sources = new HashMap<>();

  /** By the sequence of the first. */
  private final NavigableMap<Long, WaitingBatches> written = new TreeMap<>();

  /** From the sequence {@link #firstUnwritten} on; null where one has left. */
  private final List<Batch> unwritten = new ArrayList<>();

  private long firstUnwritten;
  private byte[] left;
  private final Deque<Integer> free = new ArrayDeque<>();
  private int nextNumber;
  private boolean commitsAtomically;
  private int replayEpoch;

  WaitingStore(KeyValueStore<Bytes, byte[]> inner) {
    super(inner);
  }

  /**
   * Reads what waited, after the changelog was restored, into an empty {@code merge}; what waited
   * before the replay {@code replayEpoch} comes again and is left out.
   *
   * @param commitsAtomically whether all stores and offsets are committed together or not at all
   */
  void load(SourceMerge merge, boolean commitsAtomically, int replayEpoch, long nowMs) {
    forget();
    this.merge = merge;
    this.commitsAtomically = commitsAtomically;
    this.replayEpoch = replayEpoch;
    left = inner().get(key(LEFT));
    Map<Long, BitSet> leftByFirst = left == null ? Map.of() : WaitingCodec.readLeft(left);
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
              batches.addAll(waiting(number, WaitingCodec.read(entry.value), leftByFirst));
            }
          });
    }
    batches.sort(Comparator.comparingLong(Batch::sequence));
    batches.forEach(batch -> merge.add(batch, nowMs));
  }

  private List<Batch> waiting(
      int number, WaitingCodec.Written entry, Map<Long, BitSet> leftByFirst) {
    List<Batch> batches = entry.batches();
    long first = batches.get(0).sequence();
    BitSet gone = leftByFirst.getOrDefault(first, new BitSet());
    List<Batch> waiting =
        entry.replayEpoch() < replayEpoch
            ? List.of()
            : batches.stream().filter(b -> !gone.get((int) (b.sequence() - first))).toList();
    wrote(number, batches, waiting);
    return waiting;
  }

  /** {@code batches} are written under the number, {@code waiting} of them wait. */
  private void wrote(int number, List<Batch> batches, List<Batch> waiting) {
    long first = batches.get(0).sequence();
    int size = (int) (batches.get(batches.size() - 1).sequence() - first) + 1;
    BitSet gone = new BitSet(size);
    gone.set(0, size);
    waiting.forEach(batch -> gone.clear((int) (batch.sequence() - first)));
    written.put(first, new WaitingBatches(number, first, size, gone));
    firstUnwritten = Math.max(firstUnwritten, first + size);
  }

  /**
   * Lets a batch wait.
   *
   * @param source names the source partition
   * @param writtenMs when the source record was written, epoch ms
   * @param policy of its series that are met for the first time
   */
  void add(byte[] source, long writtenMs, String policy, List<Point> points, long nowMs) {
    ByteBuffer known = sources.computeIfAbsent(ByteBuffer.wrap(source), id -> id);
    Batch batch = new Batch(firstUnwritten + unwritten.size(), known, writtenMs, policy, points);
    unwritten.add(batch);
    merge.add(batch, nowMs);
  }

  /** Says that all that a source partition wrote up to {@code untilMs} has arrived. */
  void complete(byte[] source, long untilMs, long nowMs) {
    merge.complete(ByteBuffer.wrap(source), untilMs, nowMs);
  }

  /**
   * Hands on what need not wait any longer. Returns how many points left because too many waited.
   */
  int release(Consumer<Batch> sink) {
    return merge.release(leaving(sink));
  }

  /** Hands on all that waits. */
  void releaseAll(Consumer<Batch> sink) {
    merge.releaseAll(leaving(sink));
  }

  private Consumer<Batch> leaving(Consumer<Batch> sink) {
    return batch -> {
      long sequence = batch.sequence();
      if (sequence < firstUnwritten) {
        written.floorEntry(sequence).getValue().leave(sequence);
      } else {
        unwritten.set((int) (sequence - firstUnwritten), null);
      }
      sink.accept(batch);
    };
  }

  @Override
  void writeBack(KeyValueStore<Bytes, byte[]> inner) {
    List<Integer> freed = writeLeft(inner);
    writeUnwritten(inner, new ArrayDeque<>(freed));
  }

  /** Returns the numbers under which none waits any more. */
  private List<Integer> writeLeft(KeyValueStore<Bytes, byte[]> inner) {
    List<Integer> freed = new ArrayList<>();
    Map<Long, BitSet> leftByFirst = new TreeMap<>();
    for (Iterator<WaitingBatches> all = written.values().iterator(); all.hasNext(); ) {
      WaitingBatches batches = all.next();
      BitSet gone = batches.leftFor(commitsAtomically);
      if (batches.isEmpty(gone)) {
        freed.add(batches.number());
        all.remove();
      } else if (!gone.isEmpty()) {
        leftByFirst.put(batches.first(), gone);
      }
    }
    byte[] now = leftByFirst.isEmpty() ? null : WaitingCodec.writeLeft(leftByFirst);
    if (!Arrays.equals(now, left)) {
      inner.put(key(LEFT), now);
      left = now;
    }
    return freed;
  }

  private void writeUnwritten(KeyValueStore<Bytes, byte[]> inner, Deque<Integer> freed) {
    long next = firstUnwritten + unwritten.size();
    unwritten.removeIf(Objects::isNull);
    for (List<Batch> rest = unwritten; !rest.isEmpty(); ) {
      var bytes = new ByteArrayOutputStream();
      int count = WaitingCodec.writeFirst(rest, replayEpoch, MAX_BYTES, bytes);
      List<Batch> batches = rest.subList(0, count);
      int number = freed.isEmpty() ? freeNumber() : freed.remove();
      wrote(number, batches, batches);
      inner.put(key(number), bytes.toByteArray());
      rest = rest.subList(count, rest.size());
    }
    unwritten.clear();
    firstUnwritten = next;
    freed.forEach(number -> inner.delete(key(number)));
    free.addAll(freed);
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
    firstUnwritten = 0;
    left = null;
    free.clear();
    nextNumber = 0;
  }

  private static Bytes key(int number) {
    return Bytes.wrap(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
  }
}
