package dev.rondo.topology.order;

/** A buffered batch, with the series of its points. */
final class BufferedBatch {
  final Batch batch;

  /** By index of the point; null for a point that was released before a restart. */
  final BufferedSeries[] series;

  BufferedBatch(Batch batch) {
    this.batch = batch;
    this.series = new BufferedSeries[batch.points().size()];
  }
}
