package dev.rondo.client;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.DoubleSupplier;

/** Publishes what a function returns at the end of each step. */
final class SuppliedGauge extends Metric {
  private final byte[] series;
  private final DoubleSupplier value;

  SuppliedGauge(String ident, DoubleSupplier value) {
    super(ident);
    this.series = ident.getBytes(StandardCharsets.UTF_8);
    this.value = value;
  }

  @Override
  List<byte[]> series() {
    return List.of(series);
  }

  @Override
  void collect(Interval interval, PointSink points) {
    points.add(series, interval.endMs(), value.getAsDouble());
  }
}
