package dev.rondo.topology.order;

import dev.rondo.schemas.Point;

/** A point in a {@link PartitionQueue}. */
final class BufferedPoint {
  final Batch batch;
  final int index;

  /** The next point of the same series and source partition; null for the last one. */
  BufferedPoint next;

  BufferedPoint(Batch batch, int index) {
    this.batch = batch;
    this.index = index;
  }

  Point point() {
    return batch.points().get(index);
  }

  long tMs() {
    return point().getT();
  }

  /**
   * Whether this point is released before the other: by time, then by stream time and source, so
   * that a replay repeats the order.
   */
  boolean isBefore(BufferedPoint other) {
    int order = Long.compare(tMs(), other.tMs());
    if (order == 0) {
      order = Long.compare(batch.streamTimeMs(), other.batch.streamTimeMs());
    }
    if (order == 0) {
      order = batch.source().compareTo(other.batch.source());
    }
    return order < 0;
  }
}
