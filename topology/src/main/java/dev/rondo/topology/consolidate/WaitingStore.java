package dev.rondo.topology.consolidate;

import dev.rondo.schemas.Points;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.order.Batch;
import dev.rondo.topology.order.SourceMerge;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The batches that wait for their turn. Their offsets are committed like those of points already in
 * their slots, so what waits at a commit is written; what comes and goes between two is not.
 *
 * <p>A batch is written under a number that is free: that of one that has left, so that the
 * changelog holds as many keys as batches have waited at one time, and seldom a tombstone. Where a
 * commit is not atomic, a number becomes free one commit later, when the points of its batch are
 * certainly in the written state; those of a batch that is read again after a crash are told by
 * their times.
 */
final class WaitingStore extends WriteBackStore {
  private SourceMerge merge;
  private final Map<Long, Batch> unwritten = new LinkedHashMap<>();
  private final Map<Long, Integer> numbers = new HashMap<>();
  private final List<Integer> left = new ArrayList<>();
  private final List<Integer> leftBefore = new ArrayList<>();
  private final Deque<Integer> free = new ArrayDeque<>();
  private boolean commitsAtomically;
  private int replayEpoch;
  private long nextSequence;
  private int nextNumber;

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
    List<Batch> batches = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> entries = inner().all()) { // numbers ascend
      entries.forEachRemaining(
          entry -> {
            int number = ByteBuffer.wrap(entry.key.get()).getInt();
            while (nextNumber < number) {
              free.add(nextNumber++);
            }
            nextNumber++;
            Batch batch = read(entry.value);
            nextSequence = Math.max(nextSequence, batch.sequence() + 1);
            if (ByteBuffer.wrap(entry.value).getInt() < replayEpoch) {
              left.add(number);
            } else {
              numbers.put(batch.sequence(), number);
              batches.add(batch);
            }
          });
    }
    batches.sort(Comparator.comparingLong(Batch::sequence));
    batches.forEach(batch -> merge.add(batch, nowMs));
  }

  /**
   * Lets a batch wait.
   *
   * @param source names the source partition
   * @param writtenMs when the source record was written, epoch ms
   */
  void add(byte[] source, long writtenMs, Points points, long nowMs) {
    Batch batch =
        new Batch(
            nextSequence++,
            ByteBuffer.wrap(source),
            writtenMs,
            points.getPolicy(),
            points.getPoints());
    unwritten.put(batch.sequence(), batch);
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

  /** What was written gives its number back. */
  private Consumer<Batch> leaving(Consumer<Batch> sink) {
    return batch -> {
      if (unwritten.remove(batch.sequence()) == null) {
        left.add(numbers.remove(batch.sequence()));
      }
      sink.accept(batch);
    };
  }

  @Override
  void writeBack(KeyValueStore<Bytes, byte[]> inner) {
    Deque<Integer> freed = new ArrayDeque<>(commitsAtomically ? left : leftBefore);
    leftBefore.clear();
    leftBefore.addAll(left);
    left.clear();
    unwritten.forEach(
        (sequence, batch) -> {
          int number = freed.isEmpty() ? freeNumber() : freed.remove();
          numbers.put(sequence, number);
          inner.put(key(number), write(batch));
        });
    unwritten.clear();
    freed.forEach(number -> inner.delete(key(number)));
    free.addAll(freed);
  }

  private int freeNumber() {
    return free.isEmpty() ? nextNumber++ : free.remove();
  }

  @Override
  void forget() {
    merge = null;
    unwritten.clear();
    numbers.clear();
    left.clear();
    leftBefore.clear();
    free.clear();
    nextSequence = 0;
    nextNumber = 0;
  }

  private static Bytes key(int number) {
    return Bytes.wrap(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
  }

  private byte[] write(Batch batch) {
    byte[] points =
        Topics.POINTS_SERDE
            .serializer()
            .serialize(name(), new Points(batch.policy(), batch.points()));
    return ByteBuffer.allocate(
            2 * Integer.BYTES + 2 * Long.BYTES + batch.source().capacity() + points.length)
        .putInt(replayEpoch)
        .putLong(batch.sequence())
        .putLong(batch.writtenMs())
        .putInt(batch.source().capacity())
        .put(batch.source().duplicate())
        .put(points)
        .array();
  }

  private Batch read(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).position(Integer.BYTES); // behind the epoch
    long sequence = buffer.getLong();
    long writtenMs = buffer.getLong();
    byte[] source = new byte[buffer.getInt()];
    buffer.get(source);
    byte[] points = new byte[buffer.remaining()];
    buffer.get(points);
    Points waiting = Topics.POINTS_SERDE.deserializer().deserialize(name(), points);
    return new Batch(
        sequence, ByteBuffer.wrap(source), writtenMs, waiting.getPolicy(), waiting.getPoints());
  }
}
