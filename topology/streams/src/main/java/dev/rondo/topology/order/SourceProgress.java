package dev.rondo.topology.order;

import dev.rondo.topology.memory.MemoryAccount;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;

/**
 * How far this instance has read each of its source partitions, and their end offsets. The
 * consumers and {@code EndOffsetPoller} write it, decoders and merges read it. Safe to share
 * between threads.
 */
public final class SourceProgress {
  /** A partition is paused while it is this far ahead of another, ms of record time. */
  private static final long MAX_AHEAD_MS = 10_000;

  /** The same while the merge memory is half full. */
  private static final long MAX_AHEAD_IN_HALF_FULL_MS = 500;

  /**
   * While the merge memory is half full a partition is paused, too, if it is this far ahead of one
   * that another instance decodes, ms of record time. That one's progress is known a commit later.
   */
  private static final long MAX_AHEAD_OF_OTHER_INSTANCES_MS = 5_000;

  /** A partition that is not at its end but delivers nothing for this long pauses no other. */
  private static final long STUCK_MS = 30_000;

  private final MemoryAccount merge;
  private final Map<TopicPartition, Read> reads = new ConcurrentHashMap<>();
  private final Map<TopicPartition, Decoded> decoded = new ConcurrentHashMap<>();
  private volatile EndOffsets ends = EndOffsets.NONE;

  /**
   * What was read of a partition.
   *
   * @param offset of the last record, -1 = none
   * @param streamTimeMs newest record time, epoch ms
   * @param position offset that is read next
   * @param changedMs when the position last changed, epoch ms
   */
  private record Read(long offset, long streamTimeMs, long position, long changedMs) {}

  /**
   * How far a partition is decoded, by whichever instance.
   *
   * @param changedMs when that last changed, epoch ms
   */
  private record Decoded(Progress progress, long changedMs) {}

  /**
   * Creates an empty progress.
   *
   * @param merge memory of the points that merges buffer
   */
  public SourceProgress(MemoryAccount merge) {
    this.merge = merge;
  }

  /** Sets the latest end offsets. */
  public void ends(EndOffsets latest) {
    ends = latest;
  }

  /** The latest end offsets. */
  public EndOffsets ends() {
    return ends;
  }

  /**
   * Records that records of a partition were read, the last at {@code offset}.
   *
   * @param newestMs newest of their record times, epoch ms
   */
  public void read(TopicPartition partition, long offset, long newestMs, long nowMs) {
    reads.merge(
        partition,
        new Read(offset, newestMs, offset + 1, nowMs),
        (before, now) ->
            new Read(offset, Math.max(before.streamTimeMs(), newestMs), now.position(), nowMs));
  }

  /** Sets the offset that is read next: after the last record, or after a gap that follows it. */
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

  /** Forgets what was read of a partition, as a task starts to decode it. */
  public void begin(TopicPartition partition) {
    reads.remove(partition);
  }

  /**
   * Offset before which the partition is decoded, past a gap if no record is left to decode; -1 if
   * nothing is known yet.
   *
   * @param offset of the last decoded record, -1 = none
   */
  public long decodedTo(TopicPartition partition, long offset) {
    Read read = reads.get(partition);
    if (read != null && offset >= read.offset()) {
      return read.position();
    }
    return offset < 0 ? -1 : offset + 1;
  }

  /** Takes how far a partition is decoded, by whichever instance, as a merge has received it. */
  public void decoded(TopicPartition partition, Progress latest, long nowMs) {
    decoded.compute(
        partition,
        (p, before) ->
            before == null || before.progress().position() < latest.position()
                ? new Decoded(latest, nowMs)
                : before);
  }

  /** The partitions of {@code assigned} that should be paused, as they are far ahead of others. */
  public Set<TopicPartition> ahead(Collection<TopicPartition> assigned, long nowMs) {
    long untilMs = untilMs(assigned, nowMs);
    Set<TopicPartition> ahead = new HashSet<>();
    for (TopicPartition partition : assigned) {
      Read read = reads.get(partition);
      if (read != null && read.streamTimeMs() > untilMs) {
        ahead.add(partition);
      }
    }
    return ahead;
  }

  /** Record time up to which partitions are read now, epoch ms. */
  private long untilMs(Collection<TopicPartition> assigned, long nowMs) {
    boolean isHalfFull = merge.isHalfFull();
    long slowestMs = slowestMs(assigned, nowMs);
    long untilMs =
        slowestMs == Long.MAX_VALUE
            ? Long.MAX_VALUE
            : slowestMs + (isHalfFull ? MAX_AHEAD_IN_HALF_FULL_MS : MAX_AHEAD_MS);
    if (isHalfFull) {
      long othersMs = slowestOfOtherInstancesMs(assigned, nowMs);
      if (othersMs != Long.MAX_VALUE) {
        untilMs = Math.min(untilMs, othersMs + MAX_AHEAD_OF_OTHER_INSTANCES_MS);
      }
    }
    return untilMs;
  }

  private long slowestMs(Collection<TopicPartition> assigned, long nowMs) {
    long slowestMs = Long.MAX_VALUE;
    for (TopicPartition partition : assigned) {
      Read read = reads.get(partition);
      if (read != null
          && !isAtEnd(partition, read.position())
          && nowMs - read.changedMs() < STUCK_MS) {
        slowestMs = Math.min(slowestMs, read.streamTimeMs());
      }
    }
    return slowestMs;
  }

  private long slowestOfOtherInstancesMs(Collection<TopicPartition> assigned, long nowMs) {
    long slowestMs = Long.MAX_VALUE;
    for (Map.Entry<TopicPartition, Decoded> each : decoded.entrySet()) {
      Progress progress = each.getValue().progress();
      if (!assigned.contains(each.getKey())
          && !isAtEnd(each.getKey(), progress.position())
          && nowMs - each.getValue().changedMs() < STUCK_MS) {
        slowestMs = Math.min(slowestMs, progress.streamTimeMs());
      }
    }
    return slowestMs;
  }

  private boolean isAtEnd(TopicPartition partition, long position) {
    Long end = ends.offsets().get(partition);
    return end != null && position >= end;
  }
}
