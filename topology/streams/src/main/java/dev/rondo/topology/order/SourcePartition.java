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
   * Listings without this partition after which it counts as deleted. A new partition may have
   * points before it is listed.
   */
  private static final int MAX_UNLISTED = 4;

  final TopicPartition partition;

  private final boolean isSource;

  /** Buffered batches in partition order: offsets and stream times ascend within a log. */
  private final Queue<BufferedBatch> batches = new ArrayDeque<>();

  /** Memory of the buffered points of its topic. */
  final MergeMemory memory;

  /** Lag of the released points. */
  final LagRun released;

  private Progress progress = Progress.NONE;

  /** Offset of the newest batch of the current log; -1 = none yet. */
  private long newestOffset = -1;

  /** Number of latest listings without this partition. */
  private int unlisted;

  /** Number of first batches from previous logs, before the topic was recreated. */
  private int fromPreviousLogs;

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

  /** Adds the next batch; a lower offset begins another log. */
  void add(BufferedBatch buffered) {
    if (buffered.batch.offset() < newestOffset) {
      beginLog();
    }
    newestOffset = buffered.batch.offset();
    batches.add(buffered);
  }

  BufferedBatch remove() {
    fromPreviousLogs = Math.max(0, fromPreviousLogs - 1);
    return batches.remove();
  }

  private void beginLog() {
    fromPreviousLogs = batches.size();
    newestOffset = -1;
    progress = Progress.NONE;
  }

  /** Updates whether the latest listing has this partition. */
  void setListed(boolean isListed) {
    unlisted = isListed ? 0 : unlisted + 1;
  }

  /** Whether the partition is still read: its topic is a source and exists. */
  boolean isRead() {
    return isSource && unlisted < MAX_UNLISTED;
  }

  /** Whether the first batch comes from the current log. */
  boolean isFirstRead() {
    return isRead() && fromPreviousLogs == 0;
  }

  Progress progress() {
    return progress;
  }

  long advancedMs() {
    return advancedMs;
  }

  /** Marks the partition as having nothing left to decode for now. */
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
