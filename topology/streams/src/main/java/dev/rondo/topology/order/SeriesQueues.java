package dev.rondo.topology.order;

import dev.rondo.schemas.Point;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The buffered points of each series, one queue per source partition. Before a point is released,
 * the older points of its series in other queues are released, so that the series is released in
 * time order. Within a queue the order of the partition is kept.
 *
 * <pre>
 *   series a   points/0   10 ─ 30 ─ 60       releasing 30: 10 20 30
 *              points/1      20 ─ 50
 * </pre>
 */
final class SeriesQueues {
  private static final int NOT_EMPTY = -1;

  private final Map<String, PartitionQueue> queues = new HashMap<>();
  private final MergeMemory memory;

  SeriesQueues(MergeMemory memory) {
    this.memory = memory;
  }

  /**
   * Adds the points of a batch, which follows the batches of its source that were added before.
   *
   * @param source the one object of the source partition
   * @param released indexes of points that were released before; null = none
   */
  void add(Batch batch, SourcePartition source, BitSet released) {
    List<Point> points = batch.points();
    for (int index = 0; index < points.size(); index++) {
      if (released == null || !released.get(index)) {
        Point point = points.get(index);
        PartitionQueue queue = queue(point.getIdent(), source);
        point.setIdent(queue.ident);
        queue.add(new BufferedPoint(batch, index));
      }
    }
  }

  private PartitionQueue queue(String ident, SourcePartition source) {
    PartitionQueue first = queues.get(ident);
    PartitionQueue queue = queueOf(first, source);
    if (queue == null) {
      if (first == null) {
        memory.addSeries(ident);
      }
      memory.addQueue();
      queue = new PartitionQueue(first == null ? ident : first.ident, source, first);
      queues.put(queue.ident, queue);
    }
    return queue;
  }

  private static PartitionQueue queueOf(PartitionQueue first, SourcePartition source) {
    PartitionQueue queue = first;
    while (queue != null && queue.source != source) {
      queue = queue.next;
    }
    return queue;
  }

  /**
   * Releases the points of a batch that are still buffered, each after the older points of its
   * series.
   *
   * @param source the source that the batch was added with
   * @param untilStreamTimeMs stream time of the newest batch whose older points are released too,
   *     epoch ms: in a newer batch such points are late
   */
  void release(Batch batch, SourcePartition source, long untilStreamTimeMs, MergeSink sink) {
    for (Point point : batch.points()) {
      release(point.getIdent(), batch, source, untilStreamTimeMs, sink);
    }
  }

  private void release(
      String ident, Batch batch, SourcePartition source, long untilStreamTimeMs, MergeSink sink) {
    PartitionQueue first = queues.get(ident);
    PartitionQueue own = queueOf(first, source);
    while (own != null && own.head != null && own.head.batch.sequence() <= batch.sequence()) {
      BufferedPoint next = oldest(first, own, untilStreamTimeMs).remove();
      sink.point(next.batch, next.index);
    }
    int empty = own == null ? NOT_EMPTY : countIfEmpty(first);
    if (empty != NOT_EMPTY) {
      queues.remove(ident);
      memory.removeSeries(ident, empty);
    }
  }

  private static PartitionQueue oldest(
      PartitionQueue first, PartitionQueue own, long untilStreamTimeMs) {
    PartitionQueue oldest = own;
    for (PartitionQueue queue = first; queue != null; queue = queue.next) {
      BufferedPoint head = queue.head;
      if (head != null
          && head.batch.streamTimeMs() <= untilStreamTimeMs
          && head.isBefore(oldest.head)) {
        oldest = queue;
      }
    }
    return oldest;
  }

  /** Number of queues of a series; {@link #NOT_EMPTY} if one has points. */
  private static int countIfEmpty(PartitionQueue first) {
    int count = 0;
    for (PartitionQueue queue = first; queue != null; queue = queue.next) {
      if (queue.head != null) {
        return NOT_EMPTY;
      }
      count++;
    }
    return count;
  }
}
