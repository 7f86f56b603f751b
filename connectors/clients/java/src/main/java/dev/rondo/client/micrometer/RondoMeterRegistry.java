package dev.rondo.client.micrometer;

import dev.rondo.client.RondoClient;
import dev.rondo.client.RondoClient.LibraryPoints;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.NamingConvention;
import io.micrometer.core.instrument.step.StepMeterRegistry;
import io.micrometer.core.instrument.step.StepRegistryConfig;
import io.micrometer.core.instrument.util.NamedThreadFactory;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Publishes Micrometer's meters through a client at the end of each step: counters as {@code
 * name.count} and {@code name.rate}; timers and summaries also with {@code .mean} and {@code .max},
 * durations in ms; percentiles of a meter as Micrometer's gauges {@code name.percentile;phi=0.99}.
 */
public final class RondoMeterRegistry extends StepMeterRegistry {
  private final RondoClient client;
  private final long stepMs;
  private long endMs;

  /**
   * Starts to publish.
   *
   * @param client stays open when the registry is closed; close it afterwards
   */
  public RondoMeterRegistry(RondoClient client) {
    this(client, Clock.SYSTEM);
  }

  RondoMeterRegistry(RondoClient client, Clock clock) {
    super(stepOf(client), clock);
    this.client = client;
    this.stepMs = client.step().toMillis();
    config().namingConvention(NamingConvention.identity);
    start(new NamedThreadFactory("rondo-micrometer"));
  }

  private static StepRegistryConfig stepOf(RondoClient client) {
    return new StepRegistryConfig() {
      @Override
      public String prefix() {
        return "rondo";
      }

      @Override
      public String get(String key) {
        return null;
      }

      @Override
      public Duration step() {
        return client.step();
      }
    };
  }

  @Override
  protected TimeUnit getBaseTimeUnit() {
    return TimeUnit.MILLISECONDS;
  }

  /** Publishes the step that has ended; on close, also the current one. */
  @Override
  protected synchronized void publish() {
    endMs = endAfter(endMs, clock.wallTime(), stepMs);
    client.publish(points -> getMeters().forEach(meter -> add(meter, points)));
  }

  /**
   * Returns the end of the next step to publish, after one that ended at {@code endMs}, all epoch
   * ms.
   */
  static long endAfter(long endMs, long nowMs, long stepMs) {
    long endedMs = Math.floorDiv(nowMs, stepMs) * stepMs;
    boolean isSetBack = endMs > endedMs + stepMs;
    return isSetBack ? endedMs : Math.max(endMs + stepMs, endedMs);
  }

  private void add(Meter meter, LibraryPoints points) {
    var out = new MeterPoints(meter.getId(), points);
    meter.use(
        gauge -> out.add("", gauge.value()),
        counter -> out.addEvents(counter.count()),
        timer -> {
          var unit = getBaseTimeUnit();
          out.addEvents((double) timer.count(), timer.mean(unit), timer.max(unit));
        },
        summary -> out.addEvents((double) summary.count(), summary.mean(), summary.max()),
        longTask -> {
          out.add(".active", longTask.activeTasks());
          out.add(".duration", longTask.duration(getBaseTimeUnit()));
        },
        gauge -> out.add("", gauge.value(getBaseTimeUnit())),
        counter -> out.addEvents(counter.count()),
        timer -> out.addEvents(timer.count(), timer.mean(getBaseTimeUnit()), Double.NaN),
        other -> {
          for (Measurement each : other.measure()) {
            String name = each.getStatistic().name().toLowerCase(Locale.ROOT);
            out.add("." + name, each.getValue());
          }
        });
  }

  /** The points of one meter. */
  private final class MeterPoints {
    private final String name;
    private final Map<String, String> tags = new TreeMap<>();
    private final LibraryPoints points;

    MeterPoints(Meter.Id id, LibraryPoints points) {
      this.name = id.getName();
      this.points = points;
      for (Tag tag : id.getTagsAsIterable()) {
        tags.put(tag.getKey(), tag.getValue());
      }
    }

    void add(String suffix, double value) {
      points.add(name + suffix, tags, endMs, value);
    }

    void addEvents(double count) {
      add(".count", count);
      add(".rate", count * 1000 / stepMs);
    }

    /** Without events, mean and maximum are unknown. */
    void addEvents(double count, double mean, double max) {
      addEvents(count);
      if (count > 0) {
        add(".mean", mean);
        add(".max", max);
      }
    }
  }
}
