package dev.rondo.client;

import java.util.List;

/**
 * The two series of events, as in statsd: {@code name.count}, events in the step, and {@code
 * name.rate}, events per second.
 *
 * <pre>
 *   events        3         0         6
 *        |---------|---------|---------|      steps of 10 s
 *   count          3         0         6
 *   rate 0        0.3        0        0.6     applies to the time before a point: the first marks the start
 * </pre>
 */
final class Rate {
  private final byte[] count;
  private final byte[] rate;
  private boolean isNew = true;

  Rate(String ident) {
    count = Names.series(ident, ".count");
    rate = Names.series(ident, ".rate");
  }

  List<byte[]> series() {
    return List.of(count, rate);
  }

  void collect(Interval interval, long events, PointSink points) {
    points.add(count, interval.endMs(), (double) events);
    if (isNew) {
      isNew = false;
      points.add(rate, interval.beginMs(), 0);
    }
    points.add(rate, interval.endMs(), events / interval.seconds());
  }
}
