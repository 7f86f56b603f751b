package dev.rondo.topology.consolidate;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;

/** Metrics of consolidate. */
final class ConsolidateMetrics {
  private static final String SERIES = "rondo.consolidate.series";

  private final MeterRegistry registry;
  private final Counter points;
  private final Counter rows;
  private final Counter positions;
  private final Counter evicted;
  private final Counter retired;
  private Gauge series;

  private long unreported;

  ConsolidateMetrics(MeterRegistry registry) {
    this.registry = registry;
    points = counter("rondo.consolidate.points", "Points added to their slots");
    rows = counter("rondo.rows.sent", "Rows sent to rondo.bundle-rows");
    evicted =
        counter(
            "rondo.merge.evicted.points",
            "Points released early because the memory of merges or reorder windows was full");
    retired =
        counter("rondo.consolidate.retired", "Series retired after expire.after without points");
    positions = counter("rondo.rows.positions", "Positions in the rows sent");
  }

  private Counter counter(String name, String description) {
    return Counter.builder(name).description(description).register(registry);
  }

  /** Counts a point; {@link #report} adds it to the metric, which all threads share. */
  void stored() {
    unreported++;
  }

  /** Adds what was counted since to the metric. */
  void report() {
    if (unreported > 0) {
      points.increment((double) unreported);
      unreported = 0;
    }
  }

  void evicted(int points) {
    evicted.increment(points);
  }

  void retired() {
    retired.increment();
  }

  void row(int length) {
    rows.increment();
    positions.increment(length);
  }

  /** Registers how many series a task has; replaces the gauge of an earlier processor. */
  void addSeries(String task, Supplier<Number> count) {
    Gauge before = registered(task);
    if (before != null) {
      registry.remove(before);
    }
    series =
        Gauge.builder(SERIES, count)
            .description("Series of a task")
            .tag("task", task)
            .register(registry);
  }

  /** Removes the gauge of a task that leaves, unless another thread has already replaced it. */
  void removeSeries(String task) {
    if (series != null && registered(task) == series) {
      registry.remove(series);
    }
    series = null;
  }

  private Gauge registered(String task) {
    return registry.find(SERIES).tag("task", task).gauge();
  }
}
