package dev.rondo.topology.order;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import org.apache.kafka.common.TopicPartition;

/** How far a source partition has been decoded, and its buffered batches. */
final class SourcePartition {
  final TopicPartition partition;

  /** Whether it is still read. */
  final boolean isRead;

  /** In the order of the partition: offsets and fronts ascend. */
  final Queue<Batch> batches = new ArrayDeque<>();

  private Progress progress = Progress.NONE;

  /**
   * For how long progress of any source had been received when that of this one changed, or when
   * there was nothing more of it, ms.
   */
  private long changedMs;

  SourcePartition(ByteBuffer id, boolean isRead, long listenedMs) {
    this.partition = SourceHeaders.partition(id);
    this.isRead = isRead;
    this.changedMs = listenedMs;
  }

  Progress progress() {
    return progress;
  }

  long changedMs() {
    return changedMs;
  }

  /** There is nothing more to decode for now. */
  void rest(long listenedMs) {
    changedMs = listenedMs;
  }

  void reach(Progress now, long listenedMs) {
    Progress then = progress.then(now);
    if (!then.equals(progress)) {
      progress = then;
      changedMs = listenedMs;
    }
  }
}
