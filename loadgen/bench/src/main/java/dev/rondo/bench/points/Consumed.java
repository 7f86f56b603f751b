package dev.rondo.bench.points;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.PointSink;
import org.openjdk.jmh.infra.Blackhole;

/** Hands decoded points to JMH. A dropped point fails the benchmark. */
public record Consumed(Blackhole points) implements PointSink {
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
