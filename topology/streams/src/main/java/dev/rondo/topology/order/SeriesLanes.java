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
final class SeriesLanes {
  private final Map<String, Lane> lanes = new HashMap<>();

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

  private Lane lane(String ident, SourcePartition source) {
    Lane first = lanes.get(ident);
    Lane lane = own(first, source);
    if (lane == null) {
      lane = new Lane(source, first);
      lanes.put(ident, lane);
    }
    return lane;
  }

  private static Lane own(Lane first, SourcePartition source) {
    Lane lane = first;
    while (lane != null && lane.source != source) {
      lane = lane.next;
    }
    return lane;
  }

  /**
   * Releases the points of a batch that are still here, each behind the older ones of its series.
   *
   * @param source as it was added with
   * @param untilFrontMs front of the newest batch whose points are taken along, epoch ms: a newer
   *     one is too late
   */
  void release(Batch batch, SourcePartition source, long untilFrontMs, PointSink sink) {
    for (Point point : batch.points()) {
      release(point.getIdent(), batch, source, untilFrontMs, sink);
    }
  }

  private void release(
      String ident, Batch batch, SourcePartition source, long untilFrontMs, PointSink sink) {
    Lane first = lanes.get(ident);
    Lane own = own(first, source);
    while (own != null && own.head != null && own.head.batch.sequence() <= batch.sequence()) {
      BufferedPoint next = oldest(first, own, untilFrontMs).remove();
      sink.point(next.batch, next.index);
    }
    if (own != null && isEmpty(first)) {
      lanes.remove(ident);
    }
  }

  private static Lane oldest(Lane first, Lane own, long untilFrontMs) {
    Lane oldest = own;
    for (Lane lane = first; lane != null; lane = lane.next) {
      BufferedPoint head = lane.head;
      if (head != null && head.batch.frontMs() <= untilFrontMs && head.isBefore(oldest.head)) {
        oldest = lane;
      }
    }
    return oldest;
  }

  private static boolean isEmpty(Lane first) {
    Lane lane = first;
    while (lane != null && lane.head == null) {
      lane = lane.next;
    }
    return lane == null;
  }
}
