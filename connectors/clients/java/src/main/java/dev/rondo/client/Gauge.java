package dev.rondo.client;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Publishes the last value that was set, in each step; nothing before the first. */
public final class Gauge extends Metric {
  private final byte[] series;
  private volatile double value = Double.NaN;

  Gauge(String ident) {
    super(ident);
    series = ident.getBytes(StandardCharsets.UTF_8);
  }

  /** Sets the value; NaN = unknown. */
  public void set(double value) {
    this.value = value;
  }

  @Override
  List<byte[]> series() {
    return List.of(series);
  }

  @Override
  void collect(Interval interval, PointSink points) {
    points.add(series, interval.endMs(), value);
  }
}
