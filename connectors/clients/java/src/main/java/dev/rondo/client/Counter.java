package dev.rondo.client;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Counts events; publishes {@code name.count} and {@code name.rate}. */
public final class Counter extends Metric {
  private final LongAdder total = new LongAdder();
  private final Rate rate;
  private long collected;

  Counter(String ident) {
    super(ident);
    rate = new Rate(ident);
  }

  public void add() {
    total.increment();
  }

  public void add(long events) {
    total.add(events);
  }

  /** Events since the counter was created. */
  public long total() {
    return total.sum();
  }

  @Override
  List<byte[]> series() {
    return rate.series();
  }

  @Override
  void collect(Interval interval, PointSink points) {
    long now = total.sum(); // later events count for a later step
    rate.collect(interval, now - collected, points);
    collected = now;
  }
}
