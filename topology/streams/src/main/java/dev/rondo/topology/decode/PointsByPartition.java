package dev.rondo.topology.decode;

import dev.rondo.schemas.Point;
import dev.rondo.schemas.Points;
import dev.rondo.topology.order.Progress;
import dev.rondo.topology.order.SourceRecords;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects the points of source records by the partition of their series, in order. Sources often
 * send one point per record; an output record for each would cost more than all other processing.
 */
final class PointsByPartition implements DecodedPoints {
  /** Largest batch, bytes of idents and numbers; well below the broker's default limit of 1 MiB. */
  private static final int MAX_BATCH_BYTES = 512 * 1024;

  private static final int BYTES_BESIDE_IDENT = 20;

  private final List<List<Batch>> byPartition = new ArrayList<>();
  private long records;
  private long offset;
  private long streamTimeMs;
  private long writtenMs;
  private long bytes;

  /** Content of one output record. */
  private static final class Batch {
    final List<Point> points = new ArrayList<>();
    final SourceRecords records = new SourceRecords();
    final long firstWrittenMs;
    long record = -1;
    long bytes;

    Batch(long firstWrittenMs) {
      this.firstWrittenMs = firstWrittenMs;
    }
  }

  PointsByPartition(int partitions) {
    for (int p = 0; p < partitions; p++) {
      byPartition.add(new ArrayList<>());
    }
  }

  @Override
  public void begin(long offset, long streamTimeMs, long writtenMs) {
    records++;
    this.offset = offset;
    this.streamTimeMs = streamTimeMs;
    this.writtenMs = writtenMs;
  }

  @Override
  public void add(String ident, long tMs, double value) {
    long more = ident.length() * 3L + BYTES_BESIDE_IDENT;
    Batch batch = batch(byPartition.get(SeriesPartition.of(ident, byPartition.size())), more);
    if (batch.record != records) {
      batch.record = records;
      batch.records.begin(offset, streamTimeMs);
    }
    batch.records.point();
    batch.points.add(new Point(ident, tMs, value));
    batch.bytes += more;
    bytes += more;
  }

  private Batch batch(List<Batch> batches, long more) {
    Batch last = batches.isEmpty() ? null : batches.get(batches.size() - 1);
    if (last == null || last.bytes + more > MAX_BATCH_BYTES) {
      last = new Batch(writtenMs);
      batches.add(last);
    }
    return last;
  }

  @Override
  public boolean isFull() {
    return bytes >= FULL;
  }

  @Override
  public void drain(String policy, Progress progress, BatchSink sink) {
    for (int p = 0; p < byPartition.size(); p++) {
      List<Batch> batches = byPartition.get(p);
      if (!batches.isEmpty() && progress.position() >= 0) {
        batches.get(batches.size() - 1).records.reach(progress);
      }
      for (Batch batch : batches) {
        Points points = new Points(policy, batch.points);
        byte[] records = batch.records.toBytes(progress.disorderMs());
        sink.batch(p, points, batch.firstWrittenMs, records);
      }
      batches.clear();
    }
    bytes = 0;
  }
}
