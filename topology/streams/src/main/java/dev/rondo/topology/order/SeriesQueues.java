package dev.rondo.topology.order;

import dev.rondo.schemas.Point;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The buffered points of each series, one queue per source partition. Before a point is released,
 * the older points of its series in other queues are released, so that the series is released in
 * time order. Within a queue the order of the partition is kept.
 *
 * <pre>
 *   series a   points/0   10 ─ 30 ─ 60       releasing 30: 10 20 30
 *              points/1      20 ─ 50
 * </pre>
 *
 * @param <S> class of the known series
 */
final class SeriesQueues<S extends BufferedSeries> {
  private final Function<String, S> known;
  private final Map<String, UnknownSeries> unknown = new HashMap<>();

  /** A series that the index does not know, or has retired. */
  private static final class UnknownSeries extends BufferedSeries {
    /** Memory of the topic that it came from. */
    private final MergeMemory memory;

    UnknownSeries(String ident, MergeMemory memory) {
      super(ident);
      this.memory = memory;
    }
  }

  /**
   * @param known finds a series by ident; returns null if it is not known
   */
  SeriesQueues(Function<String, S> known) {
    this.known = known;
  }

  /**
   * Adds the points of a batch. Batches of a source are added in order.
   *
   * @param source source partition, always the same object
   * @param released indexes of already released points; null = none
   */
  BufferedBatch add(Batch batch, SourcePartition source, BitSet released) {
    BufferedBatch buffered = new BufferedBatch(batch);
    List<Point> points = batch.points();
    for (int index = 0; index < points.size(); index++) {
      if (released == null || !released.get(index)) {
        Point point = points.get(index);
        BufferedSeries series = series(point.getIdent(), source);
        point.setIdent(series.ident());
        buffered.series[index] = series;
        queue(series, source).add(new BufferedPoint(batch, index));
      }
    }
    return buffered;
  }

  private BufferedSeries series(String ident, SourcePartition source) {
    BufferedSeries series = known.apply(ident);
    if (series == null) {
      series = unknown.get(ident);
    }
    return series == null ? addUnknown(ident, source.memory) : series;
  }

  private BufferedSeries addUnknown(String ident, MergeMemory memory) {
    UnknownSeries series = new UnknownSeries(ident, memory);
    memory.addSeries(ident);
    unknown.put(ident, series);
    return series;
  }

  private PartitionQueue queue(BufferedSeries series, SourcePartition source) {
    PartitionQueue queue = queueOf(series, source);
    if (queue == null) {
      source.memory.addQueue();
      queue = new PartitionQueue(source, series.first);
      series.first = queue;
    }
    return queue;
  }

  private static PartitionQueue queueOf(BufferedSeries series, SourcePartition source) {
    PartitionQueue queue = series.first;
    while (queue != null && queue.source != source) {
      queue = queue.next;
    }
    return queue;
  }

  /** Moves buffered points to a series that the index now knows. */
  void registered(S series) {
    UnknownSeries before = unknown.get(series.ident());
    if (before != null) {
      before.moveTo(series);
      forget(before);
    }
  }

  /** Keeps the buffered points of a series that the index no longer knows. */
  void retired(S series) {
    if (series.first != null) {
      series.moveTo(series(series.ident(), series.first.source));
    }
  }

  /** Number of buffered points of a series. */
  int buffered(String ident) {
    BufferedSeries series = known.apply(ident);
    int count = 0;
    PartitionQueue queue = series == null ? first(unknown.get(ident)) : series.first;
    for (; queue != null; queue = queue.next) {
      for (BufferedPoint point = queue.head; point != null; point = point.next) {
        count++;
      }
    }
    return count;
  }

  private static PartitionQueue first(BufferedSeries series) {
    return series == null ? null : series.first;
  }

  private void forget(UnknownSeries series) {
    if (unknown.remove(series.ident(), series)) {
      series.memory.removeSeries(series.ident());
    }
  }

  /**
   * Releases the points of a batch that are still buffered, each after the older points of its
   * series.
   *
   * @param source the source that the batch was added with
   * @param untilStreamTimeMs newest stream time of batches whose older points are released too,
   *     epoch ms; older points in later batches are late
   */
  void release(
      BufferedBatch buffered, SourcePartition source, long untilStreamTimeMs, MergeSink<S> sink) {
    for (BufferedSeries series : buffered.series) {
      if (series != null) {
        release(series.current(), buffered.batch, source, untilStreamTimeMs, sink);
      }
    }
  }

  private void release(
      BufferedSeries found,
      Batch batch,
      SourcePartition source,
      long untilStreamTimeMs,
      MergeSink<S> sink) {
    BufferedSeries series = found;
    PartitionQueue own = queueOf(series, source);
    if (own == null) {
      return;
    }
    while (own.head != null && own.head.batch.sequence() <= batch.sequence()) {
      BufferedPoint next = oldest(series.first, own, untilStreamTimeMs).remove();
      sink.point(next.batch, next.index, known(series));
      series = series.current(); // the sink may have registered it
    }
    if (areEmpty(series.first)) {
      for (PartitionQueue queue = series.first; queue != null; queue = queue.next) {
        queue.source.memory.removeQueue();
      }
      series.first = null;
      if (series instanceof UnknownSeries emptied) {
        forget(emptied);
      }
    }
  }

  @SuppressWarnings("unchecked") // all others come from the index
  private S known(BufferedSeries series) {
    return series instanceof UnknownSeries ? null : (S) series;
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

  private static boolean areEmpty(PartitionQueue first) {
    for (PartitionQueue queue = first; queue != null; queue = queue.next) {
      if (queue.head != null) {
        return false;
      }
    }
    return true;
  }
}
