package dev.rondo.client;

import java.util.List;

/**
 * A metric that an application updates and that publishes one or several series. Updates are
 * thread-safe, never block and never throw.
 */
public abstract sealed class Metric permits Counter, Gauge, SuppliedGauge, Timer {
  private final String ident;

  Metric(String ident) {
    this.ident = ident;
  }

  /** The name with the client's prefix, and all tags: {@code shop.orders;dc=ams;host=web01}. */
  public final String ident() {
    return ident;
  }

  /** The idents of its series, UTF-8. */
  abstract List<byte[]> series();

  /** Emits the points of the interval, and starts the next one. Not thread-safe. */
  abstract void collect(Interval interval, PointSink points);
}
