package dev.rondo.topology.decode;

import dev.rondo.schemas.Point;
import dev.rondo.schemas.Points;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Utils;

/**
 * Points of one source record, sorted by the partition of their series, in order within each. A
 * batch is cut where it would outgrow a Kafka record.
 */
final class PointsByPartition implements DecodedPoints {
  /** Largest batch, bytes of idents and numbers; well below a broker's default of 1 MiB. */
  private static final int MAX_BATCH_BYTES = 512 * 1024;

  private static final int BYTES_BESIDE_IDENT = 20;

  private final List<List<Point>> byPartition = new ArrayList<>();

  PointsByPartition(int partitions) {
    for (int p = 0; p < partitions; p++) {
      byPartition.add(new ArrayList<>());
    }
  }

  @Override
  public void add(String ident, long tMs, double value) {
    byPartition.get(partition(ident, byPartition.size())).add(new Point(ident, tMs, value));
  }

  /** The partition of a series: Kafka's own hash of its canonical text. */
  static int partition(String ident, int partitions) {
    int hash = Utils.murmur2(ident.getBytes(StandardCharsets.UTF_8));
    return Utils.toPositive(hash) % partitions;
  }

  @Override
  public void drain(String policy, BatchSink sink) {
    for (int p = 0; p < byPartition.size(); p++) {
      List<Point> points = byPartition.get(p);
      if (!points.isEmpty()) {
        byPartition.set(p, new ArrayList<>());
        cut(p, policy, points, sink);
      }
    }
  }

  private static void cut(int partition, String policy, List<Point> points, BatchSink sink) {
    int from = 0;
    long bytes = 0;
    for (int n = 0; n < points.size(); n++) {
      long more = points.get(n).getIdent().length() * 3L + BYTES_BESIDE_IDENT;
      if (bytes + more > MAX_BATCH_BYTES && n > from) {
        sink.batch(partition, new Points(policy, points.subList(from, n)));
        from = n;
        bytes = 0;
      }
      bytes += more;
    }
    sink.batch(
        partition, new Points(policy, from == 0 ? points : points.subList(from, points.size())));
  }
}
