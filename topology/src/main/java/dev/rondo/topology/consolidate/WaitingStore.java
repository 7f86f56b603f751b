package dev.rondo.topology.consolidate;

import dev.rondo.schemas.Point;
import dev.rondo.schemas.Points;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.order.Batch;
import dev.rondo.topology.order.SourceMerge;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
  private final Set<Long> written = new HashSet<>();
  private long next;

  WaitingStore(KeyValueStore<Bytes, byte[]> inner) {
    super(inner);
  }

  /** Reads what waited, after the changelog was restored, into an empty {@code merge}. */
  void load(SourceMerge merge, long nowMs) {
    forget();
    this.merge = merge;
    try (KeyValueIterator<Bytes, byte[]> entries = inner().all()) { // keys ascend: as they arrived
      entries.forEachRemaining(
          entry -> {
            long sequence = ByteBuffer.wrap(entry.key.get()).getLong();
            written.add(sequence);
            merge.add(read(sequence, entry.value), nowMs);
            next = sequence + 1;
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
    merge.add(new Batch(next++, ByteBuffer.wrap(source), writtenMs, points), nowMs);
  }

  /** Says that all that a source partition wrote up to {@code untilMs} has arrived. */
  void complete(byte[] source, long untilMs, long nowMs) {
    merge.complete(ByteBuffer.wrap(source), untilMs, nowMs);
  }

  /**
   * Hands on what need not wait any longer. Returns how many points left because too many waited.
   */
  int release(Consumer<Batch> sink) {
    return merge.release(sink);
  }

  /** Hands on all that waits. */
  void releaseAll(Consumer<Batch> sink) {
    merge.releaseAll(sink);
  }

  @Override
  void writeBack(KeyValueStore<Bytes, byte[]> inner) {
    Set<Long> waiting = new HashSet<>();
    for (Batch batch : merge.waiting()) {
      waiting.add(batch.sequence());
      if (written.add(batch.sequence())) {
        inner.put(key(batch.sequence()), write(batch));
      }
    }
    written.removeIf(
        sequence -> {
          boolean gone = !waiting.contains(sequence);
          if (gone) {
            inner.delete(key(sequence));
          }
          return gone;
        });
  }

  @Override
  void forget() {
    merge = null;
    written.clear();
    next = 0;
  }

  private static Bytes key(long sequence) {
    return Bytes.wrap(ByteBuffer.allocate(Long.BYTES).putLong(sequence).array());
  }

  private byte[] write(Batch batch) {
    byte[] points = Topics.POINTS_SERDE.serializer().serialize(name(), new Points(batch.points()));
    return ByteBuffer.allocate(
            Long.BYTES + Integer.BYTES + batch.source().capacity() + points.length)
        .putLong(batch.writtenMs())
        .putInt(batch.source().capacity())
        .put(batch.source().duplicate())
        .put(points)
        .array();
  }

  private Batch read(long sequence, byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
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
