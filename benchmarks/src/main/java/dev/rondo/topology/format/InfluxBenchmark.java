package dev.rondo.topology.format;

import dev.rondo.topology.drops.DropReason;
import dev.rondo.topology.format.influx.InfluxDecoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * What a point costs to read from Influx line protocol: a record of 100 lines with 5 fields each,
 * as Telegraf writes them.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 2, jvmArgs = "-Xmx1g")
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class InfluxBenchmark {
  private static final int LINES = 100;
  private static final int FIELDS = 5;

  private final InfluxDecoder decoder =
      new InfluxDecoder(new Naming(1024, 64), TimeUnit.NANOSECONDS);
  private byte[] record;

  /** Makes the record. */
  @Setup
  public void write() {
    StringBuilder lines = new StringBuilder();
    for (int line = 0; line < LINES; line++) {
      lines.append("cpu,cpu=cpu%d,dc=us-east-1,env=prod,host=web%05d ".formatted(line % 8, line));
      lines.append("usage_user=%s,usage_system=%s,".formatted(100 / (line + 1.7), line * 0.1));
      lines.append("usage_idle=%.2f,context_switches=%di,online=true ".formatted(98.09, line * 7));
      lines.append(1455320660004257758L + line).append('\n');
    }
    record = lines.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Lines → ident, time, value. */
  @Benchmark
  @OperationsPerInvocation(LINES * FIELDS)
  public void decode(Blackhole points) {
    decoder.decode(record, 0, new Consumed(points));
  }

  private record Consumed(Blackhole points) implements PointSink {
    @Override
    public void point(String ident, long tMs, double value, int from, int to) {
      points.consume(ident);
      points.consume(tMs);
      points.consume(value);
    }

    @Override
    public void drop(DropReason reason, String detail, int from, int to) {
      throw new IllegalStateException(detail);
    }
  }
}
