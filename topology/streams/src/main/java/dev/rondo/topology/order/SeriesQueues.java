package dev.rondo.topology.order;

import dev.rondo.schemas.Point;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The buffered points of each series, one lane a source partition. A point that leaves takes along
 * the older points of its series in other lanes, so that the series leaves in the order of its
 * times; within a lane the order of the partition stays.
 *
 * <pre>
 *   series a   points/0   10 ─ 30 ─ 60       30 leaves: 10 20 30
 *              points/1      20 ─ 50
 * </pre>
 */
final class SeriesQueues {
  private final Map<String, PartitionQueue> lanes = new HashMap<>();

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
        lane(points.get(index).getIdent(), source).add(new BufferedPoint(batch, index));
      }
    }
  }

  private PartitionQueue lane(String ident, SourcePartition source) {
    PartitionQueue first = lanes.get(ident);
    PartitionQueue lane = own(first, source);
    if (lane == null) {
      lane = new PartitionQueue(source, first);
      lanes.put(ident, lane);
    }
    return lane;
  }

  private static PartitionQueue own(PartitionQueue first, SourcePartition source) {
    PartitionQueue lane = first;
    while (lane != null && lane.source != source) {
      lane = lane.next;
    }
    return lane;
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
    PartitionQueue first = lanes.get(ident);
    PartitionQueue own = own(first, source);
    while (own != null && own.head != null && own.head.batch.sequence() <= batch.sequence()) {
      BufferedPoint next = oldest(first, own, untilStreamTimeMs).remove();
      sink.point(next.batch, next.index);
    }
    if (own != null && isEmpty(first)) {
      lanes.remove(ident);
    }
  }

  private static PartitionQueue oldest(
      PartitionQueue first, PartitionQueue own, long untilStreamTimeMs) {
    PartitionQueue oldest = own;
    for (PartitionQueue lane = first; lane != null; lane = lane.next) {
      BufferedPoint head = lane.head;
      if (head != null
          && head.batch.streamTimeMs() <= untilStreamTimeMs
          && head.isBefore(oldest.head)) {
        oldest = lane;
      }
    }
    return oldest;
  }

  private static boolean isEmpty(PartitionQueue first) {
    PartitionQueue lane = first;
    while (lane != null && lane.head == null) {
      lane = lane.next;
    }
    return lane == null;
  }
}
