package dev.rondo.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.Naming;
import dev.rondo.formats.PointSink;
import dev.rondo.formats.nativepoints.NativeDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Points of records, as read by the topology. */
final class Records {
  /** A point of a series. */
  record Point(String ident, long tMs, double value) {}

  private Records() {}

  static List<Point> read(List<Batch> batches) {
    List<Point> points = new ArrayList<>();
    for (Batch batch : batches) {
      int before = points.size();
      read(batch.value(), points);
      assertThat(points.size() - before).isEqualTo(batch.points());
    }
    return points;
  }

  private static void read(byte[] record, List<Point> points) {
    var decoder = new NativeDecoder(new Naming(1024, 64), 1024, 64);
    decoder.decode(
        record,
        0,
        new PointSink() {
          @Override
          public void point(String ident, long tMs, double value, int from, int to) {
            points.add(new Point(ident, tMs, value));
          }

          @Override
          public void drop(DropReason reason, String detail, int from, int to) {
            throw new AssertionError(reason + ": " + detail);
          }
        });
  }

  /** Returns values by time and ident; fails if a series has two points at one time. */
  static Map<Long, Map<String, Double>> byTime(List<Point> points) {
    Map<Long, Map<String, Double>> values = new TreeMap<>();
    for (Point point : points) {
      Double other =
          values
              .computeIfAbsent(point.tMs(), t -> new TreeMap<>())
              .put(point.ident(), point.value());
      assertThat(other).as("another point than %s", point).isNull();
    }
    return values;
  }
}
