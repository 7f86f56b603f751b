package dev.rondo.topology.consolidate;

import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.policy.VersionedPolicies;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Metrics of consolidate. */
final class ConsolidateMetrics {
  private final MeterRegistry registry;
  private final Counter points;
  private final Counter rows;
  private final Counter positions;
  private final Counter evicted;
  private final Counter deleted;
  private final Counter renamed;
  private final Counter created;
  private final Counter staying;
  private final Map<Meter.Id, Gauge> gauges = new HashMap<>();
  private long unreported;

  ConsolidateMetrics(MeterRegistry registry) {
    this.registry = registry;
    points = counter("rondo.consolidate.points", "Points added to their slots");
    rows = counter("rondo.rows.sent", "Rows sent to rondo.bundle-rows");
    evicted =
        counter(
            "rondo.merge.evicted.points",
            "Points released early because the memory of merges or reorder windows was full");
    deleted = counter("rondo.consolidate.deleted", "Series deleted on request");
    renamed = counter("rondo.consolidate.renamed", "Series renamed on request");
    created = counter("rondo.consolidate.new.requested", "Series created on request");
    staying =
        counter(
            "rondo.consolidate.refused.moves",
            "Series that kept their location as the partition had no segment left to move to");
    positions = counter("rondo.rows.positions", "Positions in the rows sent");
  }

  private Counter counter(String name, String description) {
    return Counter.builder(name).description(description).register(registry);
  }

  /** Counts a point. {@link #report} adds it to the metric, which all threads share. */
  void stored() {
    unreported++;
  }

  void report() {
    if (unreported > 0) {
      points.increment((double) unreported);
      unreported = 0;
    }
  }

  void evicted(int points) {
    evicted.increment(points);
  }

  void registered(Policy policy) {
    registeredOf(policy).increment();
  }

  private Counter registeredOf(Policy policy) {
    return Counter.builder("rondo.consolidate.new")
        .description("New series, and retired ones that have returned")
        .tag("policy", policy.name())
        .register(registry);
  }

  void retired(Policy policy) {
    retiredOf(policy).increment();
  }

  private Counter retiredOf(Policy policy) {
    return Counter.builder("rondo.consolidate.retired")
        .description("Series retired after expire.after without points")
        .tag("policy", policy.name())
        .register(registry);
  }

  void deleted(long series) {
    deleted.increment((double) series);
  }

  void renamed(long series) {
    renamed.increment((double) series);
  }

  void created(long series) {
    created.increment((double) series);
  }

  void staying(int series) {
    staying.increment(series);
  }

  void row(int length) {
    rows.increment();
    positions.increment(length);
  }

  /**
   * Registers the gauges of a task for a version of the policies. They replace those of an earlier
   * version or processor.
   */
  void add(String task, VersionedPolicies policies, SeriesIndex index) {
    Set<Meter.Id> before = Set.copyOf(gauges.keySet());
    gauges.clear();
    add(
        "rondo.consolidate.policy.version",
        "Version of the policies that a task uses",
        Tags.of("task", task),
        policies::number);
    add(
        "rondo.consolidate.segments",
        "Segment numbers that a task has assigned, of 65536; none is reused",
        Tags.of("task", task),
        index::segmentCount);
    for (Policy policy : policies.policies().inOrder()) {
      Tags tags = Tags.of("policy", policy.name(), "task", task);
      add(
          "rondo.consolidate.series",
          "Series of a policy in a task",
          tags,
          () -> index.count(policy.name()));
      add(
          "rondo.consolidate.max.series",
          "Series that a policy may have in a task: its share of max.series",
          tags,
          () -> index.maxSeries(policy));
      registeredOf(policy); // a counter that first appears with its first event shows no increase
      retiredOf(policy);
    }
    before.stream().filter(id -> !gauges.containsKey(id)).forEach(registry::remove);
  }

  private void add(String name, String description, Tags tags, Supplier<Number> value) {
    Gauge before = registered(name, tags);
    if (before != null) {
      registry.remove(before);
    }
    Gauge gauge = Gauge.builder(name, value).description(description).tags(tags).register(registry);
    gauges.put(gauge.getId(), gauge);
  }

  /** Removes the gauges of a closed task, unless another thread has already replaced them. */
  void remove() {
    gauges.forEach(
        (id, gauge) -> {
          if (registered(id.getName(), Tags.of(id.getTags())) == gauge) {
            registry.remove(gauge);
          }
        });
    gauges.clear();
  }

  private Gauge registered(String name, Tags tags) {
    return registry.find(name).tags(tags).gauge();
  }
}
