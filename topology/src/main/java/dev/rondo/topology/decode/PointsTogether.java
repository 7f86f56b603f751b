package dev.rondo.topology.decode;

import dev.rondo.schemas.Point;
import dev.rondo.schemas.Points;
import java.util.ArrayList;
import java.util.List;

/** Points that stay in the partition of their source record: one batch a record. */
final class PointsTogether implements DecodedPoints {
  private final int partition;
  private List<Point> points = new ArrayList<>();

  PointsTogether(int partition) {
    this.partition = partition;
  }

  @Override
  public void add(String ident, long tMs, double value) {
    points.add(new Point(ident, tMs, value));
  }

  @Override
  public void drain(String policy, BatchSink sink) {
    if (!points.isEmpty()) {
      List<Point> all = points;
      points = new ArrayList<>();
      sink.batch(partition, new Points(policy, all));
    }
  }
}
