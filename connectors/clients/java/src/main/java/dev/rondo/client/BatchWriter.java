package dev.rondo.client;

import dev.rondo.schemas.PointBatchWriter;
import java.util.ArrayList;
import java.util.List;

/** Writes points into as few records as possible. Not thread-safe. */
final class BatchWriter implements PointSink {
  /** A record of this many points with the longest idents is below {@code max.request.size}. */
  static final int MAX_POINTS = 900;

  private final PointBatchWriter writer = new PointBatchWriter();
  private List<Batch> batches = new ArrayList<>();

  @Override
  public void add(byte[] ident, long tMs, double value) {
    if (Double.isFinite(value)) {
      writer.add(ident, tMs, value);
      if (writer.points() == MAX_POINTS) {
        end();
      }
    }
  }

  private void end() {
    int points = writer.points();
    batches.add(new Batch(writer.take(), points));
  }

  /** Returns the records, and starts new ones. */
  List<Batch> take() {
    if (writer.points() > 0) {
      end();
    }
    List<Batch> taken = batches;
    batches = new ArrayList<>();
    return taken;
  }
}
