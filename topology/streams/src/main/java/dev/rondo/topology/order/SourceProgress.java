package dev.rondo.topology.order;

import dev.rondo.topology.memory.MemoryAccount;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;

/**
 * How far this instance has read each of its source partitions, and where they end. The consumers
 * and {@code EndOffsetPoller} write it, decoders and merges read it. Safe to share between threads.
 */
public final class SourceProgress {
  /** A partition is held back while it is this far ahead of another, ms of record time. */
  private static final long MAX_AHEAD_MS = 10_000;

  /** The same while much waits already. */
  private static final long MAX_AHEAD_IN_HALF_FULL_MS = 500;

  /**
   * A partition that brings nothing for this long, though it is not at its end, holds none back.
   */
  private static final long STUCK_MS = 30_000;

  private final MemoryAccount merge;
  private final Map<TopicPartition, Read> reads = new ConcurrentHashMap<>();
  private volatile EndOffsets ends = EndOffsets.NONE;

  /**
   * What was read of a partition.
   *
   * @param offset of the last record, -1 = none
   * @param streamTimeMs newest record time, epoch ms
   * @param position where reading goes on
   * @param changedMs when reading last went on, epoch ms
   */
  private record Read(long offset, long streamTimeMs, long position, long changedMs) {}

  /**
   * Nothing is read.
   *
   * @param merge memory of the points whose partitions are ahead of others
   */
  public SourceProgress(MemoryAccount merge) {
    this.merge = merge;
  }

  /** Takes the latest known ends. */
  public void ends(EndOffsets latest) {
    ends = latest;
  }

  /** The latest known ends. */
  public EndOffsets ends() {
    return ends;
  }

  /**
   * Records of a partition were read, the last at {@code offset}.
   *
   * @param newestMs newest of their times, epoch ms
   */
  public void read(TopicPartition partition, long offset, long newestMs, long nowMs) {
    reads.merge(
        partition,
        new Read(offset, newestMs, offset + 1, nowMs),
        (before, now) ->
            new Read(offset, Math.max(before.streamTimeMs(), newestMs), now.position(), nowMs));
  }

  /** Says where reading of a partition goes on: behind its last record, or behind a gap there. */
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

  /** A task begins to decode the partition, from wherever it was left. */
  public void begin(TopicPartition partition) {
    reads.remove(partition);
  }

  /**
   * Up to which offset the partition is decoded: behind a gap, too, where nothing is left to
   * decode; -1 where nothing is known yet.
   *
   * @param offset of the last record that was decoded, -1 = none
   */
  public long decodedTo(TopicPartition partition, long offset) {
    Read read = reads.get(partition);
    if (read != null && offset >= read.offset()) {
      return read.position();
    }
    return offset < 0 ? -1 : offset + 1;
  }

  /** Those of {@code assigned} that are so far ahead that the others should be read first. */
  public Set<TopicPartition> ahead(Collection<TopicPartition> assigned, long nowMs) {
    long slowestMs = Long.MAX_VALUE;
    for (TopicPartition partition : assigned) {
      Read read = reads.get(partition);
      if (read != null && !isAtEnd(partition, read) && nowMs - read.changedMs() < STUCK_MS) {
        slowestMs = Math.min(slowestMs, read.streamTimeMs());
      }
    }
    if (slowestMs == Long.MAX_VALUE) {
      return Set.of();
    }
    long untilMs = slowestMs + (merge.isHalfFull() ? MAX_AHEAD_IN_HALF_FULL_MS : MAX_AHEAD_MS);
    Set<TopicPartition> ahead = new HashSet<>();
    for (TopicPartition partition : assigned) {
      Read read = reads.get(partition);
      if (read != null && read.streamTimeMs() > untilMs) {
        ahead.add(partition);
      }
    }
    return ahead;
  }

  private boolean isAtEnd(TopicPartition partition, Read read) {
    Long end = ends.offsets().get(partition);
    return end != null && read.position() >= end;
  }
}
