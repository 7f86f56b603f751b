package dev.rondo.topology.consolidate;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Metrics of consolidate. */
final class ConsolidateMetrics {
  private static final String SERIES = "rondo.consolidate.series";
  private static final String POLICY_VERSION = "rondo.consolidate.policy.version";

  private final MeterRegistry registry;
  private final Counter points;
  private final Counter rows;
  private final Counter positions;
  private final Counter evicted;
  private final Counter retired;
  private final Map<String, Gauge> gauges = new HashMap<>();
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

  /** Registers the gauges of a task; they replace those of an earlier processor. */
  void add(String task, Supplier<Number> series, Supplier<Number> policyVersion) {
    add(SERIES, "Series of a task", task, series);
    add(POLICY_VERSION, "Version of the policies that a task has taken", task, policyVersion);
  }

  private void add(String name, String description, String task, Supplier<Number> value) {
    Gauge before = registered(name, task);
    if (before != null) {
      registry.remove(before);
    }
    gauges.put(
        name,
        Gauge.builder(name, value).description(description).tag("task", task).register(registry));
  }

  /** Removes the gauges of a task that leaves, unless another thread has already replaced them. */
  void remove(String task) {
    gauges.forEach(
        (name, gauge) -> {
          if (registered(name, task) == gauge) {
            registry.remove(gauge);
          }
        });
    gauges.clear();
  }

  private Gauge registered(String name, String task) {
    return registry.find(name).tag("task", task).gauge();
  }
}
