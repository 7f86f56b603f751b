package dev.rondo.bench.points;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.Naming;
import dev.rondo.formats.influx.InfluxDecoder;
import dev.rondo.formats.putval.PutvalDecoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Cost of reading a point from a record of 500: Influx line protocol as Telegraf writes it, 100
 * lines of 5 fields and 4 tags; PUTVAL as collectd writes it, 250 lines of 2 values.
 *
 * <pre>
 *   format   ns a point   B allocated a point
 *   influx          410                   246
 *   putval         1270                   540
 *
 *   ./rondo bench points Lines -f 1 -wi 2 -w 1 -i 60 -r 100ms
 *   OpenJDK 17.0.15, 2 cores of an Intel Xeon, shared with ten other busy processes: the ns are
 *   those of the fastest of the 60 iterations.
 * </pre>
 */
public class LinesBenchmark extends NanosBenchmark {
  private static final int POINTS = 500;
  private static final Naming NAMING = new Naming(1024, 64);

  /** Format of the record. */
  @Param({"influx", "putval"})
  private String format;

  private Decoder decoder;
  private byte[] record;

  /** Makes the decoder and the record. */
  @Setup
  public void write() {
    boolean isInflux = format.equals("influx");
    decoder =
        isInflux
            ? new InfluxDecoder(NAMING, TimeUnit.NANOSECONDS)
            : new PutvalDecoder(NAMING, TimeUnit.SECONDS);
    String lines = isInflux ? influx() : putval();
    record = lines.getBytes(StandardCharsets.UTF_8);
  }

  private static String influx() {
    StringBuilder lines = new StringBuilder();
    for (int line = 0; line < POINTS / 5; line++) {
      lines.append("cpu,cpu=cpu%d,dc=us-east-1,env=prod,host=web%05d ".formatted(line % 8, line));
      lines.append("usage_user=%s,usage_system=%s,".formatted(100 / (line + 1.7), line * 0.1));
      lines.append("usage_idle=%.2f,context_switches=%di,online=true ".formatted(98.09, line * 7));
      lines.append(1455320660004257758L + line).append('\n');
    }
    return lines.toString();
  }

  private static String putval() {
    StringBuilder lines = new StringBuilder();
    for (int line = 0; line < POINTS / 2; line++) {
      lines.append("PUTVAL web%05d/interface-eth0/if_octets interval=10.000 ".formatted(line));
      lines.append("1455320690.123:%d:%d\r\n".formatted(line * 997, line * 991));
    }
    return lines.toString();
  }

  /** Lines → ident, time, value. */
  @Benchmark
  @OperationsPerInvocation(POINTS)
  public void decode(Blackhole points) {
    decoder.decode(record, 0, new Consumed(points));
  }
}
