package dev.rondo.topology.order;

import dev.rondo.schemas.Point;
import dev.rondo.topology.lag.Lag;
import dev.rondo.topology.memory.MemoryAccount;
import java.time.Clock;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;

/**
 * How far the source partitions are read: those of this instance by its consumers, the others by
 * their committed offsets. Decoders derive their progress from it; consumers pause partitions that
 * are ahead of others by more than merges can buffer. Safe to share between threads.
 *
 * <p>Points are buffered until the slowest partition has passed them. So partitions are paused by
 * how much this instance has decoded beyond the stream time of the slowest one of all instances:
 *
 * <pre>
 *   points/0   ══════════╪▒▒▒▒▒▒▒▒▒▒▒▒ stream time      ▒ decoded beyond the slowest
 *   points/1   ══════════╡ slowest                      paused while ▒ is more than a third
 *   points/2   ══════════╪▒▒▒▒ stream time              of the free memory: points/0, points/2
 * </pre>
 */
public final class SourceProgress {
  /** Share of the free memory of merges that may be decoded beyond the slowest partition. */
  private static final int SHARE_OF_FREE = 3;

  /** A partition that delivers nothing for this long before its end pauses no other. */
  private static final long STUCK_MS = 30_000;

  private final MemoryAccount merge;
  private final Lag lag = new Lag(Clock.systemUTC());
  private final Map<TopicPartition, Read> reads = new ConcurrentHashMap<>();
  private final Map<TopicPartition, Read> committed = new ConcurrentHashMap<>();
  private final DecodedAhead decoded = new DecodedAhead();
  private volatile EndOffsets ends = EndOffsets.NONE;

  /**
   * Reads of a partition.
   *
   * @param offset offset of the last record, -1 = unknown
   * @param streamTimeMs newest record time, epoch ms; {@link Long#MIN_VALUE} = unknown
   * @param position offset to read next
   * @param changedMs when the position last changed, by the monotonic clock, ms
   */
  private record Read(long offset, long streamTimeMs, long position, long changedMs) {
    boolean isStuck(long nowMs) {
      return nowMs - changedMs >= STUCK_MS;
    }
  }

  /**
   * @param merge memory of the points that merges buffer
   */
  public SourceProgress(MemoryAccount merge) {
    this.merge = merge;
  }

  /** Lag of the points read. */
  public Lag lag() {
    return lag;
  }

  public void ends(EndOffsets latest) {
    ends = latest;
  }

  public EndOffsets ends() {
    return ends;
  }

  /**
   * Updates a partition after a read whose last record is at {@code offset}.
   *
   * @param newestMs newest record time read, epoch ms
   * @param nowMs monotonic clock, ms, as for all methods here
   */
  public void read(TopicPartition partition, long offset, long newestMs, long nowMs) {
    reads.merge(
        partition,
        new Read(offset, newestMs, offset + 1, nowMs),
        (before, now) ->
            new Read(offset, Math.max(before.streamTimeMs(), newestMs), now.position(), nowMs));
  }

  /** Sets the offset to read next: after the last record, or after a gap that follows it. */
  public void position(TopicPartition partition, long position, long nowMs) {
    reads.compute(
        partition,
        (p, read) -> {
          if (read == null) {
            return new Read(-1, Long.MIN_VALUE, position, nowMs);
          }
          return read.position() == position
              ? read
              : new Read(read.offset(), read.streamTimeMs(), position, nowMs);
        });
  }

  /** Forgets the reads of a partition when a task starts or stops decoding it. */
  public void forget(TopicPartition partition) {
    reads.remove(partition);
  }

  /**
   * Returns the offset before which the partition is decoded, past a gap if no record is left to
   * decode; -1 if unknown.
   *
   * @param offset offset of the last decoded record, -1 = none
   */
  public long decodedTo(TopicPartition partition, long offset) {
    Read read = reads.get(partition);
    if (read != null && offset >= read.offset()) {
      return read.position();
    }
    return offset < 0 ? -1 : offset + 1;
  }

  /**
   * Sets the committed offset of a partition of any instance.
   *
   * @param streamTimeMs newest record time before that offset, epoch ms
   */
  public void committed(TopicPartition partition, long position, long streamTimeMs, long nowMs) {
    committed.compute(
        partition,
        (p, before) ->
            before != null && before.position() == position
                ? before
                : new Read(-1, streamTimeMs, position, nowMs));
  }

  /** Counts decoded points of a partition whose stream time is {@code streamTimeMs}. */
  public void decoded(long streamTimeMs, List<Point> points) {
    decoded.add(streamTimeMs, MergeMemory.estimatedBytes(points));
  }

  /**
   * Returns the partitions of {@code assigned} to pause: those ahead of the slowest, once the
   * points decoded beyond it could fill the memory of merges.
   */
  public Set<TopicPartition> ahead(Collection<TopicPartition> assigned, long nowMs) {
    long untilMs = slowestMs(nowMs);
    if (untilMs != Long.MAX_VALUE) {
      untilMs += SourceMerge.SKEW_MS;
    }
    Set<TopicPartition> ahead = new HashSet<>();
    if (decoded.bytesAfter(untilMs) > merge.freeBytes() / SHARE_OF_FREE) {
      for (TopicPartition partition : assigned) {
        Read read = reads.get(partition);
        if (read != null && read.streamTimeMs() > untilMs) {
          ahead.add(partition);
        }
      }
    }
    return ahead;
  }

  /**
   * Returns the earliest stream time of partitions with more to read, epoch ms; {@link
   * Long#MAX_VALUE} if none.
   */
  private long slowestMs(long nowMs) {
    long slowestMs = Long.MAX_VALUE;
    for (Map.Entry<TopicPartition, Long> end : ends.offsets().entrySet()) {
      Read read = furthest(end.getKey());
      if (read != null && read.position() < end.getValue() && !read.isStuck(nowMs)) {
        slowestMs = Math.min(slowestMs, read.streamTimeMs());
      }
    }
    return slowestMs;
  }

  private Read furthest(TopicPartition partition) {
    Read read = reads.get(partition);
    Read before = committed.get(partition);
    return before == null || (read != null && read.position() >= before.position()) ? read : before;
  }
}
