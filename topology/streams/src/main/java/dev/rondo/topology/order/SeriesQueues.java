package dev.rondo.topology.order;

import dev.rondo.schemas.Point;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The buffered points of each series, one queue a source partition. A point that leaves takes along
 * the older points of its series in other queues, so that the series leaves in the order of its
 * times; within a queue the order of the partition stays.
 *
 * <pre>
 *   series a   points/0   10 ─ 30 ─ 60       30 leaves: 10 20 30
 *              points/1      20 ─ 50
 * </pre>
 */
final class SeriesQueues {
  private final Map<String, PartitionQueue> queues = new HashMap<>();
  private final MergeMemory memory;

  SeriesQueues(MergeMemory memory) {
    this.memory = memory;
  }

  /**
   * Adds the points of a batch, which is behind those of its source that are here.
   *
   * @param source the one object of the source partition
   * @param without indexes of points that have left before; null = none
   */
  void add(Batch batch, SourcePartition source, BitSet without) {
    List<Point> points = batch.points();
    for (int index = 0; index < points.size(); index++) {
      if (without == null || !without.get(index)) {
        Point point = points.get(index);
        PartitionQueue queue = queue(point.getIdent(), source);
        point.setIdent(queue.ident);
        queue.add(new BufferedPoint(batch, index));
      }
    }
  }

  private PartitionQueue queue(String ident, SourcePartition source) {
    PartitionQueue first = queues.get(ident);
    PartitionQueue queue = own(first, source);
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

  private static PartitionQueue own(PartitionQueue first, SourcePartition source) {
    PartitionQueue queue = first;
    while (queue != null && queue.source != source) {
      queue = queue.next;
    }
    return queue;
  }

  /**
   * Releases the points of a batch that are still here, each behind the older ones of its series.
   *
   * @param source as it was added with
   * @param untilStreamTimeMs front of the newest batch whose points are taken along, epoch ms: a
   *     newer one is too late
   */
  void release(Batch batch, SourcePartition source, long untilStreamTimeMs, PointSink sink) {
    for (Point point : batch.points()) {
      release(point.getIdent(), batch, source, untilStreamTimeMs, sink);
    }
  }

  private void release(
      String ident, Batch batch, SourcePartition source, long untilStreamTimeMs, PointSink sink) {
    PartitionQueue first = queues.get(ident);
    PartitionQueue own = own(first, source);
    while (own != null && own.head != null && own.head.batch.sequence() <= batch.sequence()) {
      BufferedPoint next = oldest(first, own, untilStreamTimeMs).remove();
      sink.point(next.batch, next.index);
    }
    if (own != null && isEmpty(first)) {
      queues.remove(ident);
      memory.removeSeries(ident, count(first));
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

  private static boolean isEmpty(PartitionQueue first) {
    PartitionQueue queue = first;
    while (queue != null && queue.head == null) {
      queue = queue.next;
    }
    return queue == null;
  }

  private static int count(PartitionQueue first) {
    int count = 0;
    for (PartitionQueue queue = first; queue != null; queue = queue.next) {
      count++;
    }
    return count;
  }
}
