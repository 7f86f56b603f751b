package dev.rondo.bench.points;

import dev.rondo.formats.Naming;
import dev.rondo.formats.PointSink;
import dev.rondo.formats.nativepoints.NativeDecoder;
import dev.rondo.schemas.PointBatchWriter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Cost of a point in the native format, for writer and reader.
 *
 * <pre>
 *   benchmark   points a record   tags     ns a point   B allocated a point
 *   write                     1   either           52                   184
 *   write                    10   either           38                    95
 *   write                   100   either           37                    86
 *   decode                    1   sorted          139                   304
 *   decode                   10   sorted           90                   117
 *   decode                  100   sorted           83                    98
 *   decode                    1   not sorted      476                  1049
 *   decode                  100   not sorted      384                   842
 *
 *   ./rondo bench points NativeBenchmark -bm sample -f 1 -wi 3 -w 1 -i 3 -r 1
 *   OpenJDK 17.0.15, 2 busy cores of an Intel Xeon: the median of the samples.
 * </pre>
 */
public class NativeBenchmark extends NanosBenchmark {
  private static final int POINTS = 1000;
  private static final long T_MS = 1_700_000_000_000L;

  @Param({"1", "10", "100"})
  private int pointsPerRecord;

  @Param({"true", "false"})
  private boolean tagsAreSorted;

  private final PointBatchWriter writer = new PointBatchWriter();
  private final NativeDecoder decoder = new NativeDecoder(new Naming(1024, 64), 1024, 64);
  private final String[] idents = new String[POINTS];
  private byte[][] records;

  /** Creates records with 1000 points in total. */
  @Setup
  public void write() {
    for (int n = 0; n < POINTS; n++) {
      int host = n / pointsPerRecord;
      String[] tags = {"dc=rack%02d".formatted(host % 97), "host=web%05d".formatted(host)};
      idents[n] =
          "shop.prod.cpu.core%02d.mean;%s;%s"
              .formatted(n % 100, tags[tagsAreSorted ? 0 : 1], tags[tagsAreSorted ? 1 : 0]);
    }
    records = new byte[POINTS / pointsPerRecord][];
    for (int record = 0; record < records.length; record++) {
      records[record] = record(record);
    }
  }

  private byte[] record(int record) {
    for (int n = record * pointsPerRecord; n < (record + 1) * pointsPerRecord; n++) {
      writer.add(idents[n], T_MS, n * 1.371);
    }
    return writer.take();
  }

  /** Idents, times and values → records. */
  @Benchmark
  @OperationsPerInvocation(POINTS)
  public void write(Blackhole written) {
    for (int record = 0; record < records.length; record++) {
      written.consume(record(record));
    }
  }

  /** Records → idents, times and values. */
  @Benchmark
  @OperationsPerInvocation(POINTS)
  public void decode(Blackhole points) {
    PointSink sink = new Consumed(points);
    for (byte[] record : records) {
      decoder.decode(record, T_MS, sink);
    }
  }
}
