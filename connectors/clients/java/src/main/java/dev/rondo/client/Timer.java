package dev.rondo.client;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * Durations of events. Publishes {@code name.count} and {@code name.rate}, and in ms {@code
 * name.mean}, {@code .min}, {@code .max}, {@code .p50}, {@code .p95} and {@code .p99} of each step
 * with events. Durations are exact to 0.8 %, and limited to 1 µs to 1 h. A timer takes 55 kB.
 */
public final class Timer extends Metric {
  private static final long LONGEST_NS = TimeUnit.HOURS.toNanos(1);
  private static final long SHORTEST_NS = TimeUnit.MICROSECONDS.toNanos(1);
  private static final int DIGITS = 2;
  private static final double NS_PER_MS = 1e6;

  private final Recorder recorder = new Recorder(SHORTEST_NS, LONGEST_NS, DIGITS);
  private final Rate rate;
  private final byte[] mean;
  private final byte[] min;
  private final byte[] max;
  private final byte[] p50;
  private final byte[] p95;
  private final byte[] p99;
  private Histogram step;

  Timer(String ident) {
    super(ident);
    rate = new Rate(ident);
    mean = Names.series(ident, ".mean");
    min = Names.series(ident, ".min");
    max = Names.series(ident, ".max");
    p50 = Names.series(ident, ".p50");
    p95 = Names.series(ident, ".p95");
    p99 = Names.series(ident, ".p99");
  }

  public void record(Duration duration) {
    long longestSeconds = TimeUnit.NANOSECONDS.toSeconds(LONGEST_NS);
    recordNanos(duration.toSeconds() < longestSeconds ? duration.toNanos() : LONGEST_NS);
  }

  /** Records a duration, such as {@code System.nanoTime() - startNanos}. */
  public void recordNanos(long nanos) {
    recorder.recordValue(Math.min(Math.max(nanos, 0), LONGEST_NS));
  }

  @Override
  List<byte[]> series() {
    return Stream.concat(rate.series().stream(), Stream.of(mean, min, max, p50, p95, p99)).toList();
  }

  @Override
  void collect(Interval interval, PointSink points) {
    step = recorder.getIntervalHistogram(step);
    rate.collect(interval, step.getTotalCount(), points);
    if (step.getTotalCount() > 0) {
      long tMs = interval.endMs();
      points.add(mean, tMs, step.getMean() / NS_PER_MS);
      points.add(min, tMs, step.getMinValue() / NS_PER_MS);
      points.add(max, tMs, step.getMaxValue() / NS_PER_MS);
      points.add(p50, tMs, step.getValueAtPercentile(50) / NS_PER_MS);
      points.add(p95, tMs, step.getValueAtPercentile(95) / NS_PER_MS);
      points.add(p99, tMs, step.getValueAtPercentile(99) / NS_PER_MS);
    }
  }
}
