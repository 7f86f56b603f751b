package dev.rondo.bench.points;

import dev.rondo.formats.Naming;
import dev.rondo.formats.json.JsonDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Cost of a point in JSON; the dialect is detected by its keys.
 *
 * <pre>
 *   record                                   ns a point   B allocated a point
 *   telegraf    100 metrics of 5 fields             658                   133
 *   jsonLines   100 series of 5 values              508                    66
 *   plain       500 points                         1663                   226
 *
 *   ./rondo bench points JsonBenchmark -f 1 -wi 4 -w 2 -i 5 -r 2
 *   OpenJDK 17.0.15, 2 cores of an Intel Xeon with eight busy threads.
 * </pre>
 */
public class JsonBenchmark extends NanosBenchmark {
  private static final int POINTS = 500;

  private final JsonDecoder decoder =
      new JsonDecoder(new Naming(1024, 64), TimeUnit.SECONDS, Optional.empty());
  private byte[] telegraf;
  private byte[] jsonLines;
  private byte[] plain;

  /** Makes three records of 500 points each. */
  @Setup
  public void write() {
    StringJoiner metrics = new StringJoiner(",", "{\"metrics\":[", "]}\n");
    for (int cpu = 0; cpu < 100; cpu++) {
      metrics.add(
          """
          {"fields":{"usage_guest":0,"usage_idle":%.6f,"usage_iowait":0.1001,"usage_system":1.802,\
          "usage_user":%.3f},"name":"cpu","tags":{"cpu":"cpu%d","dc":"us-east-1","host":"tars"},\
          "timestamp":1455320660}"""
              .formatted(90 + cpu * 0.0371, cpu * 0.371, cpu));
    }
    telegraf = utf8(metrics.toString());
    StringBuilder lines = new StringBuilder();
    for (int series = 0; series < 100; series++) {
      lines.append(
          """
          {"metric":{"__name__":"node_cpu_seconds_total","instance":"web%03d:9100","job":"node",\
          "mode":"idle"},"values":[%d.37,%d.38,2,3.5,4],"timestamps":[1549891472010,1549891487724,\
          1549891503438,1549891518438,1549891533438]}
          """
              .formatted(series, series, series));
    }
    jsonLines = utf8(lines.toString());
    StringJoiner points = new StringJoiner(",", "[", "]");
    for (int point = 0; point < POINTS; point++) {
      points.add(
          "{\"name\":\"shop.orders\",\"tags\":{\"dc\":\"ams\",\"till\":\"t%03d\"},\"time\":1455320690,\"value\":%.3f}"
              .formatted(point, point * 1.371));
    }
    plain = utf8(points.toString());
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** A batch of 100 metrics of 5 fields. */
  @Benchmark
  @OperationsPerInvocation(POINTS)
  public void telegraf(Blackhole points) {
    decoder.decode(telegraf, 0, new Consumed(points));
  }

  /** 100 lines of 5 values. */
  @Benchmark
  @OperationsPerInvocation(POINTS)
  public void jsonLines(Blackhole points) {
    decoder.decode(jsonLines, 0, new Consumed(points));
  }

  /** An array of 500 points. */
  @Benchmark
  @OperationsPerInvocation(POINTS)
  public void plain(Blackhole points) {
    decoder.decode(plain, 0, new Consumed(points));
  }
}
