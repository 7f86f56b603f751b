package dev.rondo.client;

import java.util.List;

/**
 * What an application updates; it publishes one or several series. Updates are safe in any thread,
 * never block and never throw.
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

  /** Passes on the points of the interval, and begins the next one. For one thread at a time. */
  abstract void collect(Interval interval, PointSink points);
}
