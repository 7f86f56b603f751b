package dev.rondo.topology.consolidate;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;

/** What the step counts. */
final class ConsolidateMetrics {
  private static final String SERIES = "rondo.consolidate.series";

  private final MeterRegistry registry;
  private final Counter points;
  private final Counter rows;
  private final Counter positions;
  private final Counter evicted;
  private final Counter retired;
  private Gauge series;

  ConsolidateMetrics(MeterRegistry registry) {
    this.registry = registry;
    points = counter("rondo.consolidate.points", "Points taken into their slots");
    rows = counter("rondo.rows.sent", "Rows sent to rondo.bundle-rows");
    evicted =
        counter(
            "rondo.merge.evicted.points",
            "Points that could not wait for other source partitions: too many did");
    retired = counter("rondo.consolidate.retired", "Series retired: silent for expire.after");
    positions = counter("rondo.rows.positions", "Positions in the rows sent");
  }

  private Counter counter(String name, String description) {
    return Counter.builder(name).description(description).register(registry);
  }

  void stored() {
    points.increment();
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

  /** Shows how many series a task knows, in location of whoever showed it before. */
  void showSeries(String task, Supplier<Number> count) {
    Gauge shown = shown(task);
    if (shown != null) {
      registry.remove(shown);
    }
    series =
        Gauge.builder(SERIES, count)
            .description("Series known, by task")
            .tag("task", task)
            .register(registry);
  }

  /** The task leaves. Another thread of the instance may show it already. */
  void hideSeries(String task) {
    if (series != null && shown(task) == series) {
      registry.remove(series);
    }
    series = null;
  }

  private Gauge shown(String task) {
    return registry.find(SERIES).tag("task", task).gauge();
  }
}
