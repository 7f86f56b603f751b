package dev.rondo.topology.consolidate;

import dev.rondo.topology.archive.Archive;
import dev.rondo.topology.archive.OpenSlots;
import dev.rondo.topology.archive.SlotSink;
import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.rows.PendingRows;
import java.util.List;

/**
 * Up to {@code width} series of one policy that live in one task: the unit of state. Holds their
 * open slots and the rows that still wait for values.
 */
final class Segment {
  private final int number;
  private final Policy policy;
  private final int width;
  final OpenSlots slots;
  final PendingRows rows;

  /** Changed since it was last written to the store. */
  boolean dirty;

  /** Series with points lately: those that a row waits for. */
  int live;

  Segment(int number, Policy policy, int width, long maxLingerMs) {
    this.number = number;
    this.policy = policy;
    this.width = width;
    this.slots = new OpenSlots(policy.stepMs(), policy.heartbeatMs(), policy.archives(), width);
    this.rows = new PendingRows(width, lingerMs(policy.archives(), maxLingerMs));
  }

  private static List<Long> lingerMs(List<Archive> archives, long maxLingerMs) {
    return archives.stream().map(a -> Math.min(a.shape().stepMs() / 2, maxLingerMs)).toList();
  }

  /** Number of a segment: the partition in the upper, a count in the lower sixteen bits. */
  static int number(int partition, int count) {
    return partition << 16 | count;
  }

  int number() {
    return number;
  }

  Policy policy() {
    return policy;
  }

  int width() {
    return width;
  }

  /** Counts the series whose last point is no older than a heartbeat at {@code partitionMs}. */
  void countLive(long partitionMs) {
    long oldestMs = partitionMs - policy.heartbeatMs();
    int count = 0;
    for (int series = 0; series < width; series++) {
      if (slots.lastMs(series) >= oldestMs) {
        count++;
      }
    }
    live = count;
  }

  /**
   * Tells what is open but has to be seen: slots of silent series that nothing can fill any more,
   * and the open slots of archives whose step is longer than {@code shownMs}.
   */
  void tell(long partitionMs, long shownMs, SlotSink sink) {
    List<Archive> archives = policy.archives();
    for (int series = 0; series < width; series++) {
      slots.tellSilent(series, partitionMs, sink);
    }
    for (int a = 0; a < archives.size(); a++) {
      if (archives.get(a).shape().stepMs() > shownMs) {
        for (int series = 0; series < width; series++) {
          slots.tellOpen(series, a, sink);
        }
      }
    }
  }
}
