package dev.rondo.topology.order;

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;

/**
 * How far this instance has read each of its source partitions, and where they end. The consumers
 * and {@code SourceEnds} write it, the decoders read it. Safe to share between threads.
 */
public final class SourceProgress {
  /** A partition is held back while it is this far ahead of another, ms of writing. */
  private static final long MAX_AHEAD_MS = 10_000;

  /** The same while much waits already. */
  private static final long MAX_AHEAD_IN_HALF_FULL_MS = 500;

  /**
   * A partition that brings nothing for this long, though it is not at its end, holds none back.
   */
  private static final long STUCK_MS = 30_000;

  private final WaitingRoom room;
  private final Map<TopicPartition, Read> reads = new ConcurrentHashMap<>();
  private volatile Ends ends = new Ends(Map.of(), Long.MIN_VALUE);

  /** Offsets behind the last record, asked for at {@code askedMs}. */
  private record Ends(Map<TopicPartition, Long> offsets, long askedMs) {
    boolean isReached(TopicPartition partition, Read read) {
      Long end = offsets.get(partition);
      return end != null && read.position() >= end;
    }
  }

  /**
   * What was read of a partition.
   *
   * @param offset of the last record, -1 = none
   * @param writtenMs when that was written, epoch ms
   * @param position where reading goes on
   * @param changedMs when reading last went on, epoch ms
   */
  private record Read(long offset, long writtenMs, long position, long changedMs) {}

  /**
   * Nothing is read.
   *
   * @param room where the points wait whose partitions are ahead of others
   */
  public SourceProgress(WaitingRoom room) {
    this.room = room;
  }

  /** Where the points wait whose partitions are ahead of others. */
  public WaitingRoom room() {
    return room;
  }

  /**
   * Says where the partitions end.
   *
   * @param offsets behind the last record
   * @param askedMs when they were asked for: what was written before is before them, epoch ms
   */
  public void ends(Map<TopicPartition, Long> offsets, long askedMs) {
    ends = new Ends(Map.copyOf(offsets), askedMs);
  }

  /** Records of a partition were read, the last at {@code offset}. */
  public void read(TopicPartition partition, long offset, long writtenMs, long nowMs) {
    reads.put(partition, new Read(offset, writtenMs, offset + 1, nowMs));
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
              : new Read(read.offset(), read.writtenMs(), position, nowMs);
        });
  }

  /** A task begins to decode the partition, from wherever it was left. */
  public void begin(TopicPartition partition) {
    reads.remove(partition);
  }

  /**
   * Until when the partition is decoded, epoch ms of writing: all that was written before is.
   *
   * @param offset of the last record that was decoded, -1 = none
   * @param writtenMs when that was written, epoch ms
   */
  public long completeMs(TopicPartition partition, long offset, long writtenMs) {
    Ends known = ends; // before the position: what is read later may be behind these ends
    Read read = reads.get(partition);
    boolean isAllDecoded =
        read != null && offset >= read.offset() && known.isReached(partition, read);
    return isAllDecoded ? Math.max(known.askedMs(), writtenMs) : writtenMs;
  }

  /** Those of {@code assigned} that are so far ahead that the others should be read first. */
  public Set<TopicPartition> ahead(Collection<TopicPartition> assigned, long nowMs) {
    long slowestMs = Long.MAX_VALUE;
    for (TopicPartition partition : assigned) {
      Read read = reads.get(partition);
      if (read != null && !ends.isReached(partition, read) && nowMs - read.changedMs() < STUCK_MS) {
        slowestMs = Math.min(slowestMs, read.writtenMs());
      }
    }
    if (slowestMs == Long.MAX_VALUE) {
      return Set.of();
    }
    long untilMs = slowestMs + (room.isHalfFull() ? MAX_AHEAD_IN_HALF_FULL_MS : MAX_AHEAD_MS);
    Set<TopicPartition> ahead = new HashSet<>();
    for (TopicPartition partition : assigned) {
      Read read = reads.get(partition);
      if (read != null && read.writtenMs() > untilMs) {
        ahead.add(partition);
      }
    }
    return ahead;
  }
}
