package dev.rondo.topology.decode;

import dev.rondo.schemas.Point;
import dev.rondo.schemas.Points;
import dev.rondo.topology.order.Progress;
import java.util.ArrayList;
import java.util.List;

/** Collects points that stay in the partition of their source record. */
final class PointBatch implements DecodedPoints {
  private static final byte[] ALL_IN_ONE = {};

  private final int partition;
  private long writtenMs;
  private List<Point> points = new ArrayList<>();
  private long characters;

  PointBatch(int partition) {
    this.partition = partition;
  }

  @Override
  public void begin(long offset, long streamTimeMs, long writtenMs) {
    this.writtenMs = writtenMs;
  }

  @Override
  public void add(String ident, long tMs, double value) {
    points.add(new Point(ident, tMs, value));
    characters += ident.length();
  }

  @Override
  public boolean isFull() {
    return characters >= FULL;
  }

  @Override
  public void drain(String policy, Progress progress, BatchSink sink) {
    if (!points.isEmpty()) {
      List<Point> all = points;
      points = new ArrayList<>();
      characters = 0;
      sink.batch(partition, new Points(policy, all), writtenMs, ALL_IN_ONE);
    }
  }
}
