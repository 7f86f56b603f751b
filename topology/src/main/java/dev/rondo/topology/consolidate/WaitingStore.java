package dev.rondo.topology.consolidate;

import dev.rondo.schemas.Point;
import dev.rondo.schemas.Points;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.order.Batch;
import dev.rondo.topology.order.SourceMerge;
import java.nio.ByteBuffer;
import java.util.ArrayList;
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
 */
final class WaitingStore extends WriteBackStore {
  private SourceMerge merge;
  private final Map<Long, Batch> unwritten = new LinkedHashMap<>();
  private final List<Long> left = new ArrayList<>();
  private int replayEpoch;
  private long next;

  WaitingStore(KeyValueStore<Bytes, byte[]> inner) {
    super(inner);
  }

  /**
   * Reads what waited, after the changelog was restored, into an empty {@code merge}; what waited
   * before the replay {@code replayEpoch} comes again and is left out.
   */
  void load(SourceMerge merge, int replayEpoch, long nowMs) {
    forget();
    this.merge = merge;
    this.replayEpoch = replayEpoch;
    try (KeyValueIterator<Bytes, byte[]> entries = inner().all()) { // keys ascend: as they arrived
      entries.forEachRemaining(
          entry -> {
            long sequence = ByteBuffer.wrap(entry.key.get()).getLong();
            next = sequence + 1;
            if (ByteBuffer.wrap(entry.value).getInt() < replayEpoch) {
              left.add(sequence);
            } else {
              merge.add(read(sequence, entry.value), nowMs);
            }
          });
    }
  }

  /**
   * Lets a batch wait.
   *
   * @param source names the source partition
   * @param writtenMs when the source record was written, epoch ms
   */
  void add(byte[] source, long writtenMs, List<Point> points, long nowMs) {
    Batch batch = new Batch(next++, ByteBuffer.wrap(source), writtenMs, points);
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
  int release(long nowMs, Consumer<Batch> sink) {
    return merge.release(
        nowMs,
        batch -> {
          if (unwritten.remove(batch.sequence()) == null) {
            left.add(batch.sequence());
          }
          sink.accept(batch);
        });
  }

  @Override
  void writeBack(KeyValueStore<Bytes, byte[]> inner) {
    unwritten.forEach((sequence, batch) -> inner.put(key(sequence), write(batch)));
    unwritten.clear();
    left.forEach(sequence -> inner.delete(key(sequence)));
    left.clear();
  }

  @Override
  void forget() {
    merge = null;
    unwritten.clear();
    left.clear();
    next = 0;
  }

  private static Bytes key(long sequence) {
    return Bytes.wrap(ByteBuffer.allocate(Long.BYTES).putLong(sequence).array());
  }

  private byte[] write(Batch batch) {
    byte[] points = Topics.POINTS_SERDE.serializer().serialize(name(), new Points(batch.points()));
    return ByteBuffer.allocate(
            Integer.BYTES + Long.BYTES + Integer.BYTES + batch.source().capacity() + points.length)
        .putInt(replayEpoch)
        .putLong(batch.writtenMs())
        .putInt(batch.source().capacity())
        .put(batch.source().duplicate())
        .put(points)
        .array();
  }

  private Batch read(long sequence, byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).position(Integer.BYTES); // behind the epoch
    long writtenMs = buffer.getLong();
    byte[] source = new byte[buffer.getInt()];
    buffer.get(source);
    byte[] points = new byte[buffer.remaining()];
    buffer.get(points);
    return new Batch(
        sequence,
        ByteBuffer.wrap(source),
        writtenMs,
        Topics.POINTS_SERDE.deserializer().deserialize(name(), points).getPoints());
  }
}
