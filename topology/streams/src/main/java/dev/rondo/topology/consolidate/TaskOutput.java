package dev.rondo.topology.consolidate;

import dev.rondo.formats.DropReason;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.topology.drops.Drops;
import dev.rondo.topology.lag.Arrival;
import dev.rondo.topology.lag.Lag;
import dev.rondo.topology.lag.Stage;
import dev.rondo.topology.rows.RowMessages;
import dev.rondo.topology.segment.Segment;
import dev.rondo.topology.segment.SegmentSink;
import dev.rondo.topology.segment.TaskClock;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** Emits the rows and series locations of a task, and counts stored and dropped points. */
final class TaskOutput implements SegmentSink {
  private final ProcessorContext<Object, Object> context;
  private final TaskClock clock;
  private final ConsolidateMetrics metrics;
  private final Drops drops;
  private final Lag lag;
  private final FirstPoint firstPoint;

  /** Receives the first point of each series. */
  interface FirstPoint {
    /**
     * Receives the first point of a series, once its slots hold it.
     *
     * @param tMs time of the point, epoch ms
     */
    void added(Segment segment, int series, long tMs);
  }

  TaskOutput(
      ProcessorContext<Object, Object> context,
      TaskClock clock,
      ConsolidateMetrics metrics,
      Drops drops,
      Lag lag,
      FirstPoint firstPoint) {
    this.context = context;
    this.clock = clock;
    this.metrics = metrics;
    this.drops = drops;
    this.lag = lag;
    this.firstPoint = firstPoint;
  }

  @Override
  public void stored() {
    metrics.stored();
  }

  @Override
  public void first(Segment segment, int series, long tMs) {
    firstPoint.added(segment, series, tMs);
  }

  @Override
  public void dropped(Segment segment, int series, DropReason reason, long tMs) {
    drops.count(reason, segment.ident(series), tMs, segment.newestMs(series));
  }

  @Override
  public void evicted() {
    metrics.evicted(1);
  }

  @Override
  public void row(Segment segment, int archive, long endMs, double[] values, Arrival firstArrival) {
    metrics.row(values.length);
    if (firstArrival != null) {
      lag.reached(Stage.SENT, firstArrival, known(values));
    }
    context.forward(
        RowMessages.of(
            segment.policy(),
            archive,
            segment.number(),
            segment.width(),
            endMs,
            values,
            firstArrival,
            clock.wallMs()),
        Consolidate.BUNDLE_ROWS_CHILD);
  }

  private static int known(double[] values) {
    int known = 0;
    for (double value : values) {
      known += Double.isNaN(value) ? 0 : 1;
    }
    return known;
  }

  void location(SeriesEntry entry) {
    toSeries(entry.getIdent(), entry);
  }

  void tombstone(String ident) {
    toSeries(ident, null);
  }

  private void toSeries(String ident, SeriesEntry entry) {
    context.forward(new Record<>(ident, entry, clock.wallMs()), Consolidate.SERIES_CHILD);
  }
}
