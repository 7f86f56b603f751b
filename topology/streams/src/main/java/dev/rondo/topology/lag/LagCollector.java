package dev.rondo.topology.lag;

import dev.rondo.schemas.LagBuckets;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Map;
import java.util.Set;

/**
 * Exports the {@link Lag} of an instance. It is a separate collector because Micrometer's
 * histograms count one event at a time, and because the label {@code partition} names the worst
 * partition at each scrape.
 */
public final class LagCollector implements MultiCollector {
  private final Lag lag;

  public LagCollector(Lag lag) {
    this.lag = lag;
  }

  @Override
  public MetricSnapshots collect() {
    return MetricSnapshots.of(histograms(), waiting(), heldBack());
  }

  private HistogramSnapshot histograms() {
    var histograms =
        HistogramSnapshot.builder()
            .name("rondo_lag_seconds")
            .help("Time from the arrival of points in Kafka until they reach a stage");
    lag.reached()
        .forEach(
            (key, histogram) ->
                histograms.dataPoint(
                    HistogramSnapshot.HistogramDataPointSnapshot.builder()
                        .labels(labels(key.stage(), key.source()))
                        .classicHistogramBuckets(
                            ClassicHistogramBuckets.of(
                                LagBuckets.boundsSeconds(), histogram.counts()))
                        .sum(histogram.sumSeconds())
                        .build()));
    return histograms.build();
  }

  private GaugeSnapshot waiting() {
    var gauges =
        GaugeSnapshot.builder()
            .name("rondo_lag_waiting_seconds")
            .help("Age of the oldest point that waits for a stage, with its partition; 0 = none");
    for (Stage stage : Stage.values()) {
      Map<String, Arrival> oldest = lag.waitingFor(stage);
      Set<String> sources = lag.sources(stage);
      sources.addAll(oldest.keySet());
      sources.forEach(source -> gauges.dataPoint(gauge(labels(stage, source), oldest.get(source))));
    }
    return gauges.build();
  }

  private GaugeSnapshot heldBack() {
    Arrival oldest = lag.heldBack();
    String source = oldest == null ? "" : oldest.partition().topic();
    return GaugeSnapshot.builder()
        .name("rondo_merge_awaited_seconds")
        .help(
            "Age of the oldest point that the merge holds back for the labelled source"
                + " partition; 0 = none")
        .dataPoint(gauge(Labels.of("source", source), oldest))
        .build();
  }

  /** Prometheus ignores an empty label. */
  private GaugeSnapshot.GaugeDataPointSnapshot gauge(Labels labels, Arrival oldest) {
    String partition = oldest == null ? "" : Integer.toString(oldest.partition().partition());
    double seconds = oldest == null ? 0 : lag.ageSeconds(oldest);
    return new GaugeSnapshot.GaugeDataPointSnapshot(
        seconds, labels.add("partition", partition), null);
  }

  private static Labels labels(Stage stage, String source) {
    return Labels.of("source", source, "stage", stage.key());
  }
}
