package dev.rondo.topology.order;

import dev.rondo.topology.lag.Lag;
import dev.rondo.topology.lag.LagRun;
import dev.rondo.topology.lag.Stage;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import org.apache.kafka.common.TopicPartition;

/** How far a source partition has been decoded, and its buffered batches. */
final class SourcePartition {
  /**
   * A new partition may have points before this instance lists it, but not for so many listings.
   */
  private static final int MAX_UNLISTED = 4;

  final TopicPartition partition;

  private final boolean isSource;

  /** Buffered batches in partition order: offsets and stream times ascend within a log. */
  private final Queue<BufferedBatch> batches = new ArrayDeque<>();

  /** What the merge buffers of its topic. */
  final MergeMemory memory;

  /** Points that were released. */
  final LagRun released;

  private Progress progress = Progress.NONE;

  /** Offset of the newest batch of the log that is read; -1 = none yet. */
  private long newestOffset = -1;

  /** How many of the latest listings of all partitions did not have this one. */
  private int unlisted;

  /** How many of the first batches are of former logs: the topic was deleted and created again. */
  private int former;

  /** Active time of the merge when this partition last advanced or was at its end, ms. */
  private long advancedMs;

  SourcePartition(ByteBuffer id, boolean isSource, MergeMemory memory, long activeMs, Lag lag) {
    this.partition = SourceHeaders.partition(id);
    this.isSource = isSource;
    this.memory = memory;
    this.released = new LagRun(lag, Stage.MERGED, partition);
    this.advancedMs = activeMs;
  }

  /** The first buffered batch; null if there is none. */
  Batch first() {
    BufferedBatch buffered = batches.peek();
    return buffered == null ? null : buffered.batch;
  }

  boolean isEmpty() {
    return batches.isEmpty();
  }

  /** Adds the next batch; an offset that goes back begins another log. */
  void add(BufferedBatch buffered) {
    if (buffered.batch.offset() < newestOffset) {
      beginLog();
    }
    newestOffset = buffered.batch.offset();
    batches.add(buffered);
  }

  /** Removes the first batch. */
  BufferedBatch remove() {
    former = Math.max(0, former - 1);
    return batches.remove();
  }

  private void beginLog() {
    former = batches.size();
    newestOffset = -1;
    progress = Progress.NONE;
  }

  /** Tells whether a new listing of all partitions has this one. */
  void list(boolean isListed) {
    unlisted = isListed ? 0 : unlisted + 1;
  }

  /** Whether the partition is still read: its topic is a source, and has not been deleted. */
  boolean isRead() {
    return isSource && unlisted < MAX_UNLISTED;
  }

  /** Whether the log that the first batch comes from is still read. */
  boolean isFirstRead() {
    return isRead() && former == 0;
  }

  Progress progress() {
    return progress;
  }

  long advancedMs() {
    return advancedMs;
  }

  /** Marks that the partition has nothing more to decode for now. */
  void markIdle(long activeMs) {
    advancedMs = activeMs;
  }

  void reach(Progress now, long activeMs) {
    if (now.position() >= 0 && now.position() < newestOffset) {
      beginLog();
    }
    Progress updated = progress.updatedBy(now);
    if (!updated.equals(progress)) {
      progress = updated;
      advancedMs = activeMs;
    }
  }
}
