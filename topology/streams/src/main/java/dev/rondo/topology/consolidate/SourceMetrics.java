package dev.rondo.topology.consolidate;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Metrics by source topic, for all tasks of an instance. Safe to share between threads.
 *
 * <p>A pattern may match any number of topics, so there is no label for the task, and topics beyond
 * the first {@link #MAX_TOPICS} are counted together.
 */
final class SourceMetrics {
  static final int MAX_TOPICS = 500;

  /** Label of series that a backfill created; it is not a valid topic name. */
  static final String BACKFILL = "(backfill)";

  /** Label of the topics beyond the first ones. */
  static final String OTHERS = "(others)";

  /** Metrics of one label. */
  private static final class Counts {
    private final AtomicInteger series = new AtomicInteger();
    private final Counter registered;
    private final Counter refused;

    Counts(String label, MeterRegistry registry) {
      Gauge.builder("rondo.consolidate.series.by.source", series, AtomicInteger::get)
          .description("Series whose first point came from a source topic")
          .tag("source", label)
          .register(registry);
      registered =
          Counter.builder("rondo.consolidate.new.by.source")
              .description("New series of a source topic, and retired ones that have returned")
              .tag("source", label)
              .register(registry);
      refused =
          Counter.builder("rondo.consolidate.refused.by.source")
              .description("Points of new series of a source topic that were refused")
              .tag("source", label)
              .register(registry);
    }
  }

  /** A source topic. Its series share this object. */
  static final class Topic {
    private final String name;
    private final Counts counts;

    private Topic(String name, Counts counts) {
      this.name = name;
      this.counts = counts;
    }

    /** Name of the topic; empty for a backfill. */
    String name() {
      return name;
    }

    /** Adds series, or removes them if {@code change} is negative. */
    void addSeries(int change) {
      counts.series.addAndGet(change);
    }

    void registered() {
      counts.registered.increment();
    }

    /** Counts a point of a new series that was refused. */
    void refused() {
      counts.refused.increment();
    }
  }

  private final MeterRegistry registry;
  private final Map<String, Topic> topics = new ConcurrentHashMap<>();
  private final Map<String, Counts> byLabel = new ConcurrentHashMap<>();

  SourceMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  /**
   * Returns the topic of this name; the first call starts its metrics at 0.
   *
   * @param name name of the topic; empty for a backfill
   */
  Topic topic(String name) {
    return topics.computeIfAbsent(name, topic -> new Topic(topic, counts(topic)));
  }

  private Counts counts(String name) {
    String label = name.isEmpty() ? BACKFILL : byLabel.size() < MAX_TOPICS ? name : OTHERS;
    return byLabel.computeIfAbsent(label, added -> new Counts(added, registry));
  }
}
