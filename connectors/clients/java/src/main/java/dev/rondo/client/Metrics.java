package dev.rondo.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;

/**
 * The metrics of a client and the points of each step. Sorted by ident, so that neighbours in a
 * record share most of their bytes.
 */
final class Metrics {
  /** The topology's default {@code max.future.ms}: it drops points that are further ahead. */
  private static final long MAX_FUTURE_MS = Duration.ofMinutes(10).toMillis();

  private final Names names;
  private final Deliveries deliveries;
  private final int max;
  private final ConcurrentSkipListMap<String, Metric> byIdent = new ConcurrentSkipListMap<>();
  private final Set<String> series = new HashSet<>();
  private final BatchWriter writer = new BatchWriter();
  private long endMs;

  /**
   * @param max maximum number of metrics
   * @param beginMs end of the step before the first one
   */
  Metrics(Names names, Deliveries deliveries, int max, long beginMs) {
    this.names = names;
    this.deliveries = deliveries;
    this.max = max;
    this.endMs = beginMs;
    register(deliveries.published());
    register(deliveries.dropped());
  }

  /**
   * Returns the metric with this name and these tags; creates it if there is none.
   *
   * @throws IllegalArgumentException like {@link #add}
   */
  <M extends Metric> M get(
      Class<M> kind, String name, Map<String, String> tags, Function<String, M> create) {
    String ident = names.ident(name, tags);
    synchronized (series) {
      Metric known = byIdent.get(ident);
      return kind.isInstance(known) ? kind.cast(known) : add(ident, create);
    }
  }

  /**
   * Adds a new metric. Beyond the maximum, it works but is not published.
   *
   * @throws IllegalArgumentException if the name or a tag is invalid, or if another metric has this
   *     name or one of its series
   */
  <M extends Metric> M add(String name, Map<String, String> tags, Function<String, M> create) {
    return add(names.ident(name, tags), create);
  }

  private <M extends Metric> M add(String ident, Function<String, M> create) {
    M metric = create.apply(ident);
    synchronized (series) {
      if (byIdent.size() < max) {
        register(metric);
        return metric;
      }
    }
    deliveries.dropped(
        metric.series().size(),
        "'%s' is not published: there are %d metrics (rondo.client.max.metrics)"
            .formatted(ident, max));
    return metric;
  }

  private void register(Metric metric) {
    Metric known = byIdent.get(metric.ident());
    if (known != null) {
      throw new IllegalArgumentException(
          "'%s' already exists as a %s".formatted(known.ident(), known.getClass().getSimpleName()));
    }
    List<String> own =
        metric.series().stream().map(one -> new String(one, StandardCharsets.UTF_8)).toList();
    for (String one : own) {
      if (series.contains(one)) {
        throw new IllegalArgumentException(
            "'%s' would publish '%s', as another metric does".formatted(metric.ident(), one));
      }
    }
    series.addAll(own);
    byIdent.put(metric.ident(), metric);
  }

  /** Removes a metric: its next points are not published, and another metric can take its name. */
  void remove(Metric metric) {
    synchronized (series) {
      if (byIdent.remove(metric.ident(), metric)) {
        metric.series().forEach(bytes -> series.remove(new String(bytes, StandardCharsets.UTF_8)));
      }
    }
  }

  /**
   * Returns the records of all steps since the last call, up to the one that ended at {@code
   * endMs}; none if that was collected before, so that a series has at most one point per step. If
   * the clock was so far ahead that no point was stored, the next step continues at {@code endMs}.
   */
  synchronized List<Batch> collect(long endMs) {
    if (endMs <= this.endMs) {
      boolean wasFarAhead = endMs < this.endMs - MAX_FUTURE_MS;
      this.endMs = wasFarAhead ? endMs : this.endMs;
      return List.of();
    }
    var interval = new Interval(this.endMs, endMs);
    this.endMs = endMs;
    for (Metric metric : byIdent.values()) {
      try {
        metric.collect(interval, writer);
      } catch (RuntimeException | Error e) { // of the application's function
        deliveries.dropped(1, "gauge '" + metric.ident() + "': " + e);
      }
    }
    return writer.take();
  }
}
