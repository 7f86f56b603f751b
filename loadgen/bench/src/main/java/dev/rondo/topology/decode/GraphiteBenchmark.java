package dev.rondo.topology.decode;

import dev.rondo.formats.Consumed;
import dev.rondo.formats.Decoder;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.PointSink;
import dev.rondo.formats.catalog.DecoderSettings;
import dev.rondo.formats.catalog.Format;
import dev.rondo.topology.order.Progress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Cost of a point in decode: Graphite plaintext, grouped by partition.
 *
 * <pre>
 *   benchmark           tags   lines a record   ns a point   B allocated a point
 *   decode              no                  1          136                    88
 *   decode              no                100          137                    88
 *   decode              4                   1          693                   600
 *   decode              4                 100          388                   293
 *   decodeByPartition   no                  1          364                   296
 *   decodeByPartition   no                100          217                   200
 *   decodeByPartition   4                   1          636                   848
 *   decodeByPartition   4                 100          575                   445
 *
 *   ./rondo bench points Graphite -f 1 -wi 2 -w 1 -i 60 -r 100ms
 *   OpenJDK 17.0.15, 2 cores of an Intel Xeon, shared with ten other busy processes: the ns are
 *   those of the fastest of the 60 iterations.
 * </pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 2, jvmArgs = "-Xmx1g")
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class GraphiteBenchmark {
  private static final int POINTS = 1000;
  private static final int PARTITIONS = 16;

  @Param({"1", "100"})
  private int linesPerRecord;

  /** Five consecutive lines have the same tags, like Telegraf's fields. */
  @Param({"false", "true"})
  private boolean hasTags;

  private final Decoder decoder =
      Format.GRAPHITE.decoder(new DecoderSettings(1024, 64, Optional.empty(), Optional.empty()));
  private final PointsByPartition byPartition = new PointsByPartition(PARTITIONS);
  private byte[][] records;

  /** Creates records with 1000 points in total. */
  @Setup
  public void write() {
    records = new byte[POINTS / linesPerRecord][];
    for (int record = 0; record < records.length; record++) {
      StringBuilder lines = new StringBuilder();
      for (int line = 0; line < linesPerRecord; line++) {
        String tags =
            hasTags ? ";cpu=cpu%d;dc=ams;env=prod;host=web%05d".formatted(line / 5, record) : "";
        lines.append(
            "shop.prod.rack%02d.web%05d.cpu.core%02d.usage.mean%s %.3f 1700000000%n"
                .formatted(record % 97, record, line, tags, line * 1.371));
      }
      records[record] = lines.toString().getBytes(StandardCharsets.UTF_8);
    }
  }

  /** Lines → ident, time, value. */
  @Benchmark
  @OperationsPerInvocation(POINTS)
  public void decode(Blackhole points) {
    PointSink sink = new Consumed(points);
    for (byte[] record : records) {
      decoder.decode(record, 0, sink);
    }
  }

  /** Lines → batches of points, one per partition. */
  @Benchmark
  @OperationsPerInvocation(POINTS)
  public void decodeByPartition(Blackhole batches) {
    PointSink sink = new ByPartition();
    for (byte[] record : records) {
      decoder.decode(record, 0, sink);
      byPartition.drain(
          "", Progress.NONE, (partition, points, writtenMs, records) -> batches.consume(points));
    }
  }

  private final class ByPartition implements PointSink {
    @Override
    public void point(String ident, long tMs, double value, int from, int to) {
      byPartition.add(ident, tMs, value);
    }

    @Override
    public void drop(DropReason reason, String detail, int from, int to) {
      throw new IllegalStateException(detail);
    }
  }
}
