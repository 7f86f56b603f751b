package dev.rondo.bench.points;

import dev.rondo.schemas.Point;
import dev.rondo.topology.lag.Lag;
import dev.rondo.topology.memory.FairMemory;
import dev.rondo.topology.memory.MemoryAccount;
import dev.rondo.topology.order.Batch;
import dev.rondo.topology.order.BufferedSeries;
import dev.rondo.topology.order.EndOffsets;
import dev.rondo.topology.order.Progress;
import dev.rondo.topology.order.SourceHeaders;
import dev.rondo.topology.order.SourceMerge;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Cost of a point in the merge of 16 source partitions.
 *
 * <pre>
 *                                     one point a batch    100 points a batch
 *   1 000 points buffered, in order           830 ns              210 ns
 *   1 000 points buffered, some late          830 ns              200 ns
 *   50 000 points buffered, in order        2 700 ns              280 ns
 *   50 000 points buffered, some late       3 600 ns              250 ns
 *
 *   Average of three seconds, one fork; the next decimal is noise. OpenJDK 17.0.15, 2 cores of an Intel Xeon.
 * </pre>
 */
public class SourceMergeBenchmark extends NanosBenchmark {
  private static final int POINTS = 100_000;
  private static final int SERIES = 20_000;

  private static final List<ByteBuffer> SOURCES =
      IntStream.range(0, 16)
          .mapToObj(n -> ByteBuffer.wrap(SourceHeaders.id(new TopicPartition("points", n))))
          .toList();

  /** Points of a batch. */
  @Param({"1", "100"})
  private int batch;

  /** Points that wait when the first of them leaves. */
  @Param({"1000", "50000"})
  private int backlog;

  /**
   * Times of points: as they were written, or one batch in twenty older than all that waits, so
   * that it overtakes.
   */
  @Param({"ordered", "late"})
  private String times;

  /** A point through the merge, its decoding not counted. */
  @Benchmark
  @OperationsPerInvocation(POINTS)
  public void point(Blackhole blackhole, Batches batches) {
    SourceMerge<BufferedSeries> merge =
        new SourceMerge<>(
            SOURCES,
            id -> true,
            30_000,
            new FairMemory(MemoryAccount.ofEntries(1 + POINTS)),
            () -> EndOffsets.NONE,
            ident -> null,
            new Lag(Clock.systemUTC()),
            0);
    int released = 0;
    for (Batch next : batches.next) {
      merge.add(next, null);
      released += next.points().size();
      if (released >= backlog) {
        // all that was written more than half a second ago, and no more waits behind it
        var progress = new Progress(0, next.streamTimeMs(), 0);
        SOURCES.forEach(source -> merge.reach(source, progress, 0));
        merge.release((batch, index, series) -> blackhole.consume(batch));
        released = backlog / 2;
      }
    }
    merge.releaseAll((batch, index, series) -> blackhole.consume(batch));
  }

  /** Freshly decoded: no ident has its hash yet. */
  @State(Scope.Thread)
  public static class Batches {
    private List<Batch> next;

    /** Decodes. */
    @Setup(Level.Invocation)
    public void decode(SourceMergeBenchmark benchmark) {
      next = benchmark.batches();
    }
  }

  private List<Batch> batches() {
    // half a second holds half of the backlog
    double msAPoint = 1000.0 / backlog;
    List<Batch> batches = new ArrayList<>();
    for (int first = 0; first < POINTS; first += batch) {
      int number = batches.size();
      long writtenMs = (long) (first * msAPoint);
      boolean isLate = times.equals("late") && number % 20 == 19;
      List<Point> points = new ArrayList<>();
      for (int n = first; n < first + batch; n++) {
        String ident = "load.bench.m%05d;host=web%03d".formatted(n % SERIES, n % 500);
        points.add(new Point(ident, isLate ? writtenMs - 60_000 : writtenMs, 1.0));
      }
      // not the same source for a series each time, as without keys
      ByteBuffer source = SOURCES.get((int) (((number * 2654435761L) >>> 7) & 15));
      batches.add(new Batch(first, source, number, writtenMs, "", points));
    }
    return batches;
  }
}
