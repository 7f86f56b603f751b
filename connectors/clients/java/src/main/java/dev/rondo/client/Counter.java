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

  /** Counts one event. */
  public void add() {
    total.increment();
  }

  /** Counts several events. */
  public void add(long events) {
    total.add(events);
  }

  /** Events since it was created. */
  public long total() {
    return total.sum();
  }

  @Override
  List<byte[]> series() {
    return rate.series();
  }

  @Override
  void collect(Interval interval, PointSink points) {
    long now = total.sum(); // an event that is not in it yet is in that of a later step
    rate.collect(interval, now - collected, points);
    collected = now;
  }
}
